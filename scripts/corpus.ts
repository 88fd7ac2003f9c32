// What a reader sees of the mails in a folder, so that it can be compared with what another program makes of them:
// delivers each .eml file to a gateway with an embedded room server, started for this, and prints one line of JSON for
// each: file, subject, from, address, to, cc, the text as plain text and as HTML, and the parts with number, name, type
// and the SHA-256 of the bytes that a download gives (or the status, where there is none). With --page, writes a page
// instead that shows each HTML mail as it was sent and as the web client shows it.
// Run: npm run corpus -- FOLDER [--page FILE]

import { hash } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Api } from '../test/support/gateway.ts';
import { withMails } from './corpus/delivery.ts';
import { writeFidelityPage } from './corpus/fidelity.ts';

interface PartJson {
  partnum: string;
  filename: string;
  content_type: string;
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { page: { type: 'string' } } });
if (positionals.length !== 1) throw new Error('Name one folder: npm run corpus -- FOLDER [--page FILE]');
if (values.page === undefined) await printCorpus(positionals[0]!);
else await writeFidelityPage(positionals[0]!, values.page);

async function printCorpus(folder: string): Promise<void> {
  await withMails(folder, async ({ file, gateway, delivered }) => {
    const seen = await delivered
      .then((number) => seenBy(gateway.as('reader'), number))
      .catch((error: Error) => ({ error: error.message }));
    process.stdout.write(`${JSON.stringify({ file, ...seen })}\n`);
  });
}

async function seenBy(api: Api, number: string) {
  const path = `r/Lobby/${number}`;
  const read = async (query: string) => {
    const answer = await api(`${path}/json${query}`);
    if (answer.status !== 200) throw new Error(`not shown: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown> & { text: string; parts: PartJson[] };
  };
  const [html, plain] = [await read(''), await read('?text=plain')];
  const parts = [];
  for (const { partnum, filename, content_type } of html.parts) {
    const answer = await api(`${path}/${encodeURIComponent(partnum)}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const content = answer.status === 200 ? { size: bytes.length, sha256: hash('sha256', bytes) } : {};
    parts.push({ number: partnum, name: filename, type: content_type, status: answer.status, ...content });
  }
  const { subj: subject, from, rfca: address, rcpt: to, cccc: cc } = html;
  return { subject, from, address, to, cc, text: plain.text, html: html.text, parts };
}

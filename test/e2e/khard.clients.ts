// khard, of Debian's package of this name, with vdirsyncer: the contacts of a terminal and those of the server.

import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { contact } from '../support/calendar-object.ts';
import { startDavSite } from '../support/dav-site.ts';
import { needPrograms, newHome } from '../support/programs.ts';
import { syncedFolders } from '../support/synced-folders.ts';

needPrograms(
  [
    ['vdirsyncer', '--version'],
    ['khard', '--version'],
  ],
  'vdirsyncer khard',
);
const site = await startDavSite({ after });
const home = await newHome({ after });
const url = await site.newAddressBook('friends');
const { here, filesOf, read, sync } = await syncedFolders(home, 'card', site.url, ['friends']);

const editor = join(home.folder, 'editor');
await writeFile(editor, '#!/bin/sh\nexec sed -i -f "$HOME/changes.sed" "$1"\n');
await chmod(editor, 0o755);
await mkdir(join(home.folder, '.config/khard'), { recursive: true });
await writeFile(
  join(home.folder, '.config/khard/khard.conf'),
  `[addressbooks]
[[friends]]
path = ${here('friends')}
[general]
default_action = list
editor = ${editor}
merge_editor = ${editor}
[vcard]
preferred_version = 3.0
`,
);
const khard = (words: string[], input = '') => home.must('khard', words, input);
const textOf = async (index = 0) => site.textOf(url + (await site.names(url))[index]!);
/** what the web client shows of a contact */
async function shown(index = 0): Promise<string> {
  const answer = await site.ask('GET', `${url}${(await site.names(url))[index]}/json`);
  return ((await answer.json()) as { text: string }).text;
}

const JOERG = `Formatted name : Jörg Müller
First name : Jörg
Last name : Müller
Nickname : Jogi
Organisation : Gärtnerei & Söhne; Nord
Birthday : 1980-02-29
Phone :
    cell : +49 170 1234567
Email :
    work : joerg@example.org
Address :
    home :
        Street : Hauptstraße 5
        Code : 10115
        City : Berlin
Note : |
    two lines,
    one; comma
`;

describe('khard', () => {
  it('adds a contact', async () => {
    await khard(['new', '-a', 'friends'], JOERG);
    await sync();
    assert.equal(await textOf(), read('friends', filesOf('friends')[0]!));
    const text = await shown();
    for (const part of ['Jörg Müller', 'Gärtnerei &amp; Söhne; Nord', '+49 170 1234567', 'joerg@example.org']) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    assert.match(text, /29 February 1980/);
    assert.match(text, /Hauptstraße 5.*10115 Berlin|Hauptstraße 5.*Berlin.*10115/s);
    assert.match(text, /two lines,<br>one; comma/);
    assert.doesNotMatch(await sync(), /Copying|Deleting/);
  });

  it('edits it', async () => {
    const changes = ['/^Last name/s/Müller/Müller-Lüdenscheidt/', 's/joerg@example.org/jml@example.org/'];
    await writeFile(join(home.folder, 'changes.sed'), `${changes.join('\n')}\n`);
    await khard(['edit', 'Müller']);
    await sync();
    assert.equal((await site.names(url)).length, 1);
    assert.match(await textOf(), /^N:Müller-Lüdenscheidt;Jörg;;;\r?$/m);
    assert.match(await shown(), /jml@example\.org/);
  });

  it('is shown what has changed there', async () => {
    const [name] = await site.names(url);
    const edited = (await textOf()).replace('+49 170 1234567', '+49 30 7654321');
    await site.store(url + name!, edited);
    await site.store(`${url}zoe.vcf`, contact('zoe', 'Zoë Ångström', ['TEL;TYPE=WORK:+46 8 123']));
    await sync();
    const list = await khard(['list']);
    assert.match(list, /Jörg Müller.*\+49 30 7654321.*jml@example\.org/);
    assert.match(list, /Zoë Ångström.*\+46 8 123/);
  });

  it('deletes one', async () => {
    await khard(['remove', '--force', 'Zoë']);
    await sync();
    assert.equal((await site.names(url)).length, 1);
    assert.match(await textOf(), /Lüdenscheidt/);
  });
});

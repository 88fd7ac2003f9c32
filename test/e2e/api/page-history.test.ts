// The pages of a wiki through the JSON interface: their history, old versions, links from one to another.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Api, startBoth } from '../../support/gateway.ts';
import { WireClient } from '../../support/wire-client.ts';

interface Version {
  version: string;
  time: number;
  from: string;
}

const html = { 'content-type': 'text/html; charset=utf-8' };

const gateways = await startBoth({ after }, { demo: true });
const lineServer = new URL(gateways[0]![1].lineUrl!);

for (const [index, [name, gateway]] of gateways.entries()) {
  const alice = gateway.as('alice');
  const bob = gateway.as('bob');
  const put = async (api: Api, page: string, body: string | Buffer, headers: Record<string, string> = html) => {
    const { status } = await api(`r/Handbook/${encodeURIComponent(page)}`, { method: 'PUT', body, headers });
    assert.ok(status === 201 || status === 204, `${page}: ${status}`);
  };
  const json = async (path: string, api = alice) => {
    const response = await api(path);
    assert.equal(response.status, 200, path);
    return response.json();
  };
  const history = async (page: string) =>
    (await json(`r/Handbook/${encodeURIComponent(page)}/history`)) as unknown as Version[];

  describe(`a page of a wiki on ${name}`, () => {
    it('has its versions listed, the latest first, by name and by number', async () => {
      const page = `Über uns/a b ${index}`;
      const started = Math.floor(Date.now() / 1000);
      await put(alice, page, '<p>one</p>');
      await put(bob, page, '<p>two</p>');
      const versions = await history(page);
      assert.deepEqual(
        versions.map(({ from }) => from),
        ['bob', 'alice'],
      );
      assert.ok(versions.every(({ time }) => started <= time && time <= Date.now() / 1000));
      const { msgnum } = (await json(`r/Handbook/${encodeURIComponent(page)}/json`)) as { msgnum: number };
      assert.deepEqual(await json(`r/Handbook/${msgnum}/history`), versions);
    });

    it('has each version as it was PUT, and safe to show', async () => {
      const page = `bytes ${index}`;
      const bodies = [
        Buffer.from('<p>no line end ü'),
        Buffer.from('<p>a line</p>\r\n000\r\n<a href="javascript:x">x</a> <a href="home">home</a>'),
        Buffer.from([0x3c, 0x70, 0x3e, 0, 0xff, 0x0d, 0x0a, 0x0a]),
        Buffer.from(`<p>${'x'.repeat(5000)}</p>\n\n`),
      ];
      for (const body of bodies) await put(alice, page, body);
      const versions = (await history(page)).reverse();
      for (const [i, { version }] of versions.entries()) {
        const response = await alice(`r/Handbook/${encodeURIComponent(page)}/history/${version}`);
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('content-type'), html['content-type']);
        assert.match(response.headers.get('content-security-policy')!, /^sandbox/);
        assert.deepEqual(Buffer.from(await response.arrayBuffer()), bodies[i], `version ${i}`);
      }
      const path = `r/Handbook/${encodeURIComponent(page)}/history/${versions[1]!.version}/json`;
      const shown = (await json(path)) as Record<string, unknown>;
      assert.deepEqual(Object.keys(shown), [
        'version',
        'time',
        'from',
        'content_type',
        'has_blocked_remote',
        'is_cut',
        'text',
      ]);
      assert.equal(shown.from, 'alice');
      assert.match(String(shown.text), /^<p>a line<\/p>\n000\nx <a href="\/svc\/r\/Handbook\/home">home<\/a>\s*$/);
      const plain = (await json(`${path}?text=plain`)) as Record<string, unknown>;
      assert.match(String(plain.text), /^a line\n/);
    });

    it('has versions that never change: HEAD, conditions and ranges are those of other content', async () => {
      const page = `steady ${index}`;
      const type = 'multipart/mixed; boundary=b';
      await put(alice, page, '--b\n\nwords\n--b--\n', { 'content-type': type });
      const [{ version } = { version: '' }] = await history(page);
      const get = (headers: Record<string, string>, method = 'GET') =>
        alice(`r/Handbook/${encodeURIComponent(page)}/history/${version}`, { method, headers });
      const [whole, head] = [await get({}), await get({}, 'HEAD')];
      for (const header of ['etag', 'last-modified', 'content-type', 'content-length', 'accept-ranges']) {
        assert.equal(head.headers.get(header), whole.headers.get(header), header);
      }
      assert.equal(whole.headers.get('etag'), `"${version}"`);
      assert.equal((await get({ 'if-none-match': `"${version}"` })).status, 304);
      assert.equal((await get({ 'if-modified-since': whole.headers.get('last-modified')! })).status, 304);
      assert.equal((await get({ 'if-match': '"other"' })).status, 412);
      const part = await get({ range: 'bytes=5-9' });
      assert.deepEqual([part.status, await part.text()], [206, 'words']);
      assert.equal((await get({ range: 'bytes=99-' })).status, 416);
      assert.equal(await whole.text(), '--b\n\nwords\n--b--\n', 'the connection is still good');
    });

    it('keeps its history when it is deleted', async () => {
      const page = `gone ${index}`;
      await put(alice, page, '<p>was here</p>');
      const [version] = await history(page);
      const admin = gateway.as('admin', 'secret');
      assert.equal((await admin(`r/Handbook/${encodeURIComponent(page)}`, { method: 'DELETE' })).status, 204);
      assert.deepEqual(await history(page), [version]);
      const old = await alice(`r/Handbook/${encodeURIComponent(page)}/history/${version!.version}`);
      assert.equal(await old.text(), '<p>was here</p>');
    });

    it('cannot have a name that ends in _HISTORY_; one that another client has written is shown', async (t) => {
      const page = `old ${index}_HISTORY_`;
      const path = `r/Handbook/${encodeURIComponent(page)}`;
      const answer = await alice(path, { method: 'PUT', body: 'x', headers: html });
      assert.equal(answer.status, 400);
      assert.match(((await answer.json()) as { detail: string }).detail, /cannot end in _HISTORY_/);
      const client = await WireClient.login(
        { host: lineServer.hostname, port: Number(lineServer.port) },
        'alice',
        'alice',
      );
      t.after(() => client.close());
      await client.expect('GOTO Handbook', 200);
      const [number] = await client.send(`ENT0 1|||4|||1|||${page}`, 'Content-type: text/html\n\nold\n');
      assert.equal(await (await alice(path)).text(), 'old\n');
      const numbers = (await json('r/Handbook/msgs.all')) as unknown as number[];
      assert.equal(numbers.at(-1), Number(number));
      const found = await alice('r/Handbook/', { method: 'PROPFIND', headers: { depth: '1' } });
      assert.ok((await found.text()).includes(`<D:href>/svc/${path}</D:href>`));
    });

    it('is 404 where there is no such page or version, or the room is not for the caller', async () => {
      const [{ version } = { version: '' }] = await history('home');
      const paths = [
        'r/Handbook/nowhere/history',
        'r/Handbook/999999/history',
        'r/Handbook/home/history/1',
        `r/Handbook/compost/history/${version}`,
        `r/Lobby/home/history/${version}/json`,
        'r/Lobby/1/history',
        'r/Nowhere/home/history',
        'r/Handbook/a%7Cb/history',
        'r/Handbook/home/history/a%7Cb',
      ];
      for (const path of paths) assert.equal((await alice(path)).status, 404, path);
      assert.equal((await alice(`r/Handbook/home/history/${version}/json?text=x`)).status, 400);
      assert.equal((await gateway.api('r/Handbook/home/history')).status, 401);
      assert.equal((await alice('r/Handbook/home/history', { method: 'DELETE' })).status, 405);
    });

    it('links to other pages by the address they have here; other messages have no such links', async () => {
      const page = `links ${index}`;
      const body =
        '<a href="Soil%20tests">a</a> <a href="../Lobby/1">b</a> <a href="/svc/a/logout">c</a> <a href="a|b">d</a>';
      await put(alice, page, body);
      const { text } = (await json(`r/Handbook/${encodeURIComponent(page)}/json`)) as { text: string };
      assert.equal(text.trim(), '<a href="/svc/r/Handbook/Soil%20tests">a</a> b c d');
      const posted = await alice('r/Lobby/new', { method: 'PUT', body, headers: html });
      const mail = (await json(`r/Lobby/${JSON.parse(posted.headers.get('etag')!)}/json`)) as { text: string };
      assert.equal(mail.text.trim(), 'a b c d');
    });
  });
}

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MAX_INBOX_RULE_BYTES, MAX_INBOX_RULES } from '../../../../src/limits/backend.ts';
import { startRoomServer } from '../../../support/room-server.ts';
import { WireClient } from '../../../support/wire-client.ts';

const line = (n: number, rule: string) => `rule|${n}|${Buffer.from(`${n}|${rule}`).toString('base64')}`;

async function world(t: TestContext) {
  const { socketPath } = await startRoomServer(t, { users: { ann: 4, bob: 4 } });
  const ann = await WireClient.login(socketPath, 'ann', 'annpw');
  const bob = await WireClient.login(socketPath, 'bob', 'bobpw');
  const admin = await WireClient.login(socketPath, 'admin', 'adminpw');
  await bob.expect('GOTO Mail', 200);
  const rules = async (...all: string[]) => {
    await ann.send('PIBR', all.map((rule, n) => line(n, rule)).join('\n'));
    await ann.expect('NOOP', 200); // PIBR says nothing of its end, for which a long text waits its turn
  };
  const mail = async (subject: string) => {
    const body = 'Content-type: text/plain\n\nx';
    assert.ok(Number((await bob.send(`ENT0 1|ann||4|${subject}||1`, body))[0]) > 0);
  };
  /** subjects by room */
  const subjects = async (room: string) => {
    await ann.expect(`GOTO ${room}`, 200);
    return (await ann.ask('MSGS ALL|||1')).lines.map((row) => row.split('|')[5]);
  };
  return { admin, ann, bob, rules, mail, subjects };
}

describe('inbox rules', () => {
  it('discard, file and keep, the first that is the last deciding', async (t) => {
    const { rules, mail, subjects } = await world(t);
    await rules(
      'subject|contains|SPAM|larger|0|discard||||stop',
      'subject|matches|*[list] ?*|larger|0|fileinto|Notes|||stop',
      'from|is|bob|larger|0|fileinto|Trash|||continue',
      'subject|is|both|larger|0|keep||||stop',
    );
    for (const subject of ['buy spam', '[list] a', '[list] ', 'hello', 'both']) await mail(subject);
    assert.deepEqual(await subjects('Mail'), ['both']);
    assert.deepEqual(await subjects('Notes'), ['[list] a']);
    assert.deepEqual(await subjects('Trash'), ['[list]', 'hello', 'both']);
  });

  it('do not tell who has written mail that goes to an anonymous room, too', async (t) => {
    const { ann, bob, rules, subjects, admin } = await world(t);
    await admin.expect('CRE8 1|Box|0', 200);
    await admin.expect('GOTO Box', 200);
    await admin.expect('SETR Box|||514|0', 200);
    await rules('from|contains|bob|larger|0|fileinto|Trash|||stop');
    await bob.send('ENT0 1|ann, room_Box||4|whisper||1', 'Content-type: text/plain\n\nx');
    assert.deepEqual([await subjects('Mail'), await subjects('Trash')], [['whisper'], []]);
    assert.doesNotMatch(await ann.text('MSGS ALL|||1'), /bob/);
  });

  it('lose no mail because a room is not there or not allowed', async (t) => {
    const { rules, mail, subjects } = await world(t);
    await rules('all|is||larger|0|fileinto|Nowhere|||stop');
    await mail('one');
    await rules('all|is||larger|0|fileinto|Aide|||stop');
    await mail('two');
    await rules('all|is||larger|0|fileinto|0000000003.Mail|||stop');
    await mail('three');
    assert.deepEqual(await subjects('Mail'), ['one', 'two', 'three']);
  });

  it('look at the size, and are as many as are looked at', async (t) => {
    const { ann, rules, mail, subjects } = await world(t);
    await rules('size|is||larger|10|discard||||stop');
    await mail('large');
    await rules('size|is||smaller|10|discard||||stop');
    await mail('not small');
    assert.deepEqual(await subjects('Mail'), ['not small']);
    await rules(...Array.from({ length: MAX_INBOX_RULES + 1 }, () => 'all|is||larger|0|keep||||stop'));
    assert.equal((await ann.ask('GIBR')).lines.length, MAX_INBOX_RULES);
  });

  it('are of as many bytes as a rule may have, all of them', async (t) => {
    const { ann } = await world(t);
    const text = (fill: number) => `0|subject|contains|${'x'.repeat(fill)}|larger|0|keep||||stop`;
    const prefix = 'rule|10|';
    const plainBytes = ((MAX_INBOX_RULE_BYTES - prefix.length) / 4) * 3;
    const encoded = Buffer.from(text(plainBytes - text(0).length)).toString('base64');
    const longest = `${prefix}${encoded}`;
    assert.equal(longest.length, MAX_INBOX_RULE_BYTES);
    await ann.send('PIBR', `rule|100|${encoded}\n${longest}`);
    assert.deepEqual((await ann.ask('GIBR')).lines, [longest]);
    await ann.send('PIBR', Array(MAX_INBOX_RULES).fill(longest).join('\n'));
    assert.equal((await ann.ask('GIBR')).lines.length, MAX_INBOX_RULES);
  });

  it('that would not be obeyed are not kept, and nobody reads those of others', async (t) => {
    const { ann, bob, rules } = await world(t);
    await rules(
      'all|is||larger|0|vacation|||gone|stop',
      'all|is||larger|0|redirect||x@example.org||stop',
      'subject|sounds like|x|larger|0|keep||||stop',
      'colour|is|x|larger|0|keep||||stop',
      'subject|is|x|larger|0|keep||||stop',
    );
    assert.deepEqual((await ann.ask('GIBR')).lines, [line(4, 'subject|is|x|larger|0|keep||||stop')]);
    assert.deepEqual((await bob.ask('GIBR')).lines, []);
    await ann.send('PIBR', 'not a rule\nrule|0|!!\nrule|0|\n');
    assert.deepEqual((await ann.ask('GIBR')).lines, []);
  });

  it('leave a mail in the inbox when they would have to compare too much, holding up everybody', async (t) => {
    const { rules, mail, subjects } = await world(t);
    const slow = (pattern: string) => `subject|notmatches|${pattern}|larger|0|discard||||continue`;
    await rules('all|is||larger|0|fileinto|Trash|||continue', slow(`*${'a'.repeat(450)}b`));
    await mail('a'.repeat(900));
    await mail('short');
    assert.deepEqual([(await subjects('Mail')).length, (await subjects('Trash')).length], [0, 2]);
    await rules(...Array.from({ length: MAX_INBOX_RULES }, () => slow(`*${'a'.repeat(450)}b`)));
    await mail('a'.repeat(900));
    await mail('short');
    assert.deepEqual(await subjects('Mail'), ['a'.repeat(900)]);
  });

  it('leave a mail in the inbox, too, when they would have to look for too much in it', async (t) => {
    const { rules, mail, subjects } = await world(t);
    const value = `${'a'.repeat(700)}b${'a'.repeat(700)}`;
    const slow = `subject|notcontains|${value}|larger|0|discard||||continue`;
    await rules(...Array.from({ length: MAX_INBOX_RULES }, () => slow));
    await mail('a'.repeat(3000));
    await mail('short');
    assert.deepEqual(await subjects('Mail'), ['a'.repeat(3000)]);
  });

  it('of a pattern full of stars take no longer than others', async (t) => {
    const { rules, mail, subjects } = await world(t);
    await rules(`subject|matches|${'*a'.repeat(200)}*b|larger|0|discard||||stop`);
    await mail('a'.repeat(900));
    assert.equal((await subjects('Mail')).length, 1);
  });
});

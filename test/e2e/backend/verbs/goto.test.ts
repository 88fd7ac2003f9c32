import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { names, people } from '../../../support/wire-users.ts';

describe('GOTO', () => {
  it('knows the macros in any case', async (t) => {
    const { login } = await people(t);
    const ann = await login('ann');
    const macros: [string, string][] = [
      ['_BASEROOM_', 'Lobby'],
      ['_mail_', 'Mail'],
      ['_TRASH_', 'Trash'],
      ['_DRAFTS_', 'Drafts'],
      ['_CALENDAR_', 'Calendar'],
      ['_TASKS_', 'Tasks'],
      ['_CONTACTS_', 'Contacts'],
      ['_NOTES_', 'Notes'],
      ['_BITBUCKET_', 'Trashcan'],
    ];
    for (const [macro, name] of macros) {
      const fields = (await ann.text(`GOTO ${macro}`)).slice(4).split('|');
      assert.equal(fields.length, 17);
      assert.equal(fields[0], name);
      assert.equal(fields[13], name === 'Trash' ? '1' : '0');
    }
    assert.match(await ann.text('STAT'), /^200 Trashcan\|\d+\|$/);
    await ann.expect('GOTO Notes', 200);
    assert.match(await ann.text('STAT'), /^200 0000000002\.Notes\|/);
  });

  it('that is transient leaves a room unknown', async (t) => {
    const { login } = await people(t);
    const [ann, cal] = [await login('ann'), await login('cal')];
    await ann.expect('CRE8 1|Guess|1', 200);
    await cal.expect('GOTO Guess||1', 200);
    assert.equal((await names(cal, 'LKRA')).includes('Guess'), false);
    await cal.expect('GOTO Guess', 200);
    assert.equal((await names(cal, 'LKRA')).includes('Guess'), true);
  });

  it('shows the own view, and whether the room text is worth reading', async (t) => {
    const { login } = await people(t);
    const [ann, boss] = [await login('ann'), await login('boss')];
    const field = async (n: number) => (await ann.text('GOTO Lobby')).split('|')[n];
    assert.equal(await ann.text('RINF'), '571 No info file.');
    assert.equal(await ann.text('EINF 1'), '550 This command requires Admin or Room Admin access.');
    assert.equal(await field(3), '0');
    await boss.expect('EINF 0', 200);
    await boss.send('EINF 1', 'Welcome\n 000\n\nlast ünï\n');
    assert.equal(await field(3), '1');
    assert.deepEqual((await ann.ask('RINF')).lines, ['Welcome', ' 000', '', 'last ünï']);
    await ann.expect('SLRP 999', 200);
    assert.equal(await field(3), '0');
    await ann.expect('VIEW 6', 200);
    assert.equal(await field(11), '6');
    assert.equal(await field(12), '0');
  });
});

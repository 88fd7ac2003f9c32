import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accessIn, answers, names, people } from '../../../support/wire-users.ts';

describe('access', () => {
  it('is given by INVT and taken by KICK', async (t) => {
    const { login } = await people(t);
    const [ann, cal, boss] = [await login('ann'), await login('cal'), await login('boss')];
    await boss.expect('CRE8 1|Club|3', 200);
    await boss.expect('GOTO Club', 200);
    await answers(boss, [
      ['SETA nosuch', '200 Ok'],
      ['GETA', '200 '],
      ['SETA ann', '200 Ok'],
      ['GETA', '200 ann'],
      ['INVT ann', '200 ann invited to Club.'],
      ['INVT nosuch', '570 No such user.'],
      ['WHOK', '100 Who knows room:\nadmin\nann\nboss'],
    ]);
    assert.match(await ann.text('GOTO Club'), /^200 Club\|0\|0\|0\|6\|0\|0\|0\|1\|/);
    assert.equal(await ann.text('INVT cal'), '200 cal invited to Club.');
    await cal.expect('GOTO Club', 200);
    assert.equal(await cal.text('KICK ann'), '550 Higher access or room ownership required.');
    assert.equal(await ann.text('KICK cal'), '200 cal kicked out of Club.');
    await cal.expect('MSGS ALL', 550);
    assert.equal(await cal.text('ENT0 0|||4'), '550 Higher access is required to post in this room.');
    await cal.expect('GOTO Lobby', 200);
    assert.equal(await cal.text('GOTO Club'), "572 room 'Club' not found");
    assert.deepEqual((await cal.ask('LZRM')).lines, []);
    await boss.expect('CRE8 1|Plaza|0', 200);
    await boss.expect('GOTO Plaza', 200);
    await boss.expect('KICK cal', 200);
    assert.equal(await accessIn(cal, 'Plaza'), 16);
    assert.equal((await names(cal, 'LKRA')).includes('Plaza'), false);
    assert.equal(await cal.text('GOTO Plaza'), "572 room 'Plaza' not found");
    await boss.expect('INVT cal', 200);
    await cal.expect('GOTO Plaza', 200);
    assert.equal(await accessIn(cal, 'Plaza'), 294);
    await boss.expect('GOTO Lobby', 200);
    assert.equal(await boss.text('KICK cal'), "560 Can't add/remove users from this room.");
  });
});

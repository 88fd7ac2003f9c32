// Reports as real clients have sent them, with the whole documents that they are to get.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startGateway } from '../support/gateway.ts';
import { askedAgain, recordedReports, storeRecorded } from '../support/recorded-reports.ts';

describe('reports of real clients', async () => {
  const gateway = await startGateway({ after }, { users: [{ name: 'carol', password: 'carol' }] });
  const carol = gateway.as('carol');
  await storeRecorded(carol);
  for (const [client, reports] of recordedReports()) {
    it(`are answered as recorded: ${client}`, async () => {
      const answers = await askedAgain(carol, reports);
      for (const [i, answer] of answers.entries()) {
        assert.deepEqual(answer, reports[i]!.answer, `${client}, report ${i + 1}: ${reports[i]!.body}`);
      }
    });
  }

  it('fail nowhere', () => assert.deepEqual(gateway.faults, []));
});

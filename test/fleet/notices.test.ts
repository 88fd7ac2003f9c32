import assert from 'node:assert/strict';
import { it } from 'node:test';
import { localNotices } from '../../src/fleet/notices.ts';

it('a gateway alone has told its own listeners when it has told', async () => {
  const notices = localNotices();
  await notices.tell({ about: 'account', usernum: 1 });
  const heard: unknown[] = [];
  notices.listen((notice) => void heard.push(notice));
  notices.listen((notice) => void heard.push(notice));
  const notice = { about: 'replaced session', sessionId: 'one' } as const;
  await notices.tell(notice);
  assert.deepEqual(heard, [notice, notice]);
});

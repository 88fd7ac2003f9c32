// Paths of rooms, messages and users, as they stand in answers.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { App } from '../../src/gateway/app.ts';
import { messagePath, realName, roomPath, userPath } from '../../src/gateway/paths.ts';

const app = { prefix: '/svc/' } as Partial<App> as App;

it('a name is one segment, whatever it holds', () => {
  assert.equal(roomPath(app, 'a/b c'), '/svc/r/a%2Fb%20c/');
  assert.equal(messagePath(app, 'a/b', 12), '/svc/r/a%2Fb/12');
  assert.equal(messagePath(app, 'Box', 'ü?#/x.ics'), '/svc/r/Box/%C3%BC%3F%23%2Fx.ics');
  assert.equal(userPath(app, 'J D'), '/svc/u/J%20D/');
});

it('the room of sent mail has a name of its own, however it is spelled; others are themselves', () => {
  for (const name of ['_SENT_', '_sent_', '_Sent_']) assert.equal(realName(name), 'Sent Items');
  for (const name of ['_MAIL_', 'Sent Items', 'sent', '_SENT']) assert.equal(realName(name), name);
});

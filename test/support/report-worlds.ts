// Gateways that reports are tested on: one with its own room server, a second one in front of the same, and one in
// front of a room server that knows the documented verbs only. carol has a calendar, tasks and contacts on each.

import { type Api, type Ending, startBoth, startGateway, type TestGateway } from './gateway.ts';
import { startRealServer } from './real-server.ts';

export interface ReportWorld {
  where: string;
  gateway: TestGateway;
  carol: Api;
  /** the room server is ours, and has rooms of files */
  isOwn: boolean;
  /** it is another world's, too */
  isShared: boolean;
}

export async function reportWorlds(t: Ending): Promise<ReportWorld[]> {
  const both = await startBoth(t, { users: [{ name: 'carol', password: 'carol' }] });
  const { path } = await startRealServer(t, { users: { carol: 4 } });
  const worlds = both.map(([where, gateway], i) => {
    return { where, gateway, carol: gateway.as('carol'), isOwn: true, isShared: i > 0 };
  });
  const gateway = await startGateway(t, { backend: `unix:${path}` });
  const carol = gateway.as('carol', 'carolpw');
  return [...worlds, { where: 'one that is not ours', gateway, carol, isOwn: false, isShared: false }];
}

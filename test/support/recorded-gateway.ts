// A whole gateway in front of the recording of a real server (recorded-peer.ts), for the tests in contract/.

import { type Api, type Ending, startGateway } from './gateway.ts';
import { type RecordedPeer, recordedPeer } from './recorded-peer.ts';

export interface RecordedGateway {
  peer: RecordedPeer;
  /** what was logged as a fault */
  faults: unknown[];
  /** The same as those of TestGateway, but failing the test at a command that the recording cannot answer. */
  api: Api;
  as(user: string, password?: string): Api;
  /** Body of a JSON answer that must be 200. */
  json<T>(answer: Promise<Response>): Promise<T>;
}

/** `transcript`: its file name below fixtures/. */
export async function recordedGateway(t: Ending, transcript: string): Promise<RecordedGateway> {
  const peer = await recordedPeer(new URL(`../fixtures/${transcript}`, import.meta.url));
  const gateway = await startGateway(t, { backend: `unix:${peer.path}` });
  t.after(() => peer.close());
  const checked =
    (api: Api): Api =>
    async (path, init) => {
      const response = await api(path, init);
      peer.check();
      return response;
    };
  return {
    peer,
    faults: gateway.faults,
    api: checked(gateway.api),
    as: (user, password = `${user}pw`) => checked(gateway.as(user, password)),
    async json<T>(answer: Promise<Response>) {
      const response = await answer;
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      return (await response.json()) as T;
    },
  };
}

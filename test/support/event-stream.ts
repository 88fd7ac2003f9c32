// Reads Server-Sent Events as a browser does, comments included, from an answer of raw-http.ts.

import type { Api } from './gateway.ts';

export interface ServerEvent {
  /** '' where the block has no event: an id, a comment */
  event: string;
  data: unknown;
  id: string;
  comment: string;
}

export interface EventStream {
  response: Response;
  /** The next block of the stream; undefined when it has ended. */
  block(): Promise<ServerEvent | undefined>;
  /** The next event of this name; what comes before it is passed over. Rejects when the stream ends before. */
  next(event: string): Promise<ServerEvent>;
  /** Goes away as a client does that is closed. */
  close(): void;
}

/** The stream at `path`, its first block read already. */
export async function openEvents(api: Api, path: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const controller = new AbortController();
  const response = await api(path, { headers, signal: controller.signal });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const chunks = response.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = '';
  const block = async () => {
    while (!text.includes('\n\n')) {
      const chunk = await chunks.next().catch(() => ({ done: true as const }));
      if (chunk.done) return undefined;
      text += chunk.value;
    }
    const end = text.indexOf('\n\n');
    const lines = text.slice(0, end).split('\n');
    text = text.slice(end + 2);
    const field = (name: string) =>
      lines
        .find((line) => line.startsWith(`${name}:`))
        ?.slice(name.length + 1)
        .trim() ?? '';
    return { event: field('event'), data: JSON.parse(field('data') || 'null'), id: field('id'), comment: field('') };
  };
  return {
    response,
    block,
    async next(event) {
      for (let found = await block(); found; found = await block()) if (found.event === event) return found;
      throw new Error(`the stream ended before ${event}`);
    },
    close: () => controller.abort(),
  };
}

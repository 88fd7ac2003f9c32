// The metrics of several processes as those of one server: samples of the same name and labels added up.

/** Where the sum means nothing: when the newest was started, the versions, the longest delay of any event loop. */
const LARGEST = /^(?:process_start_time_seconds|vestibule_build_info|vestibule_event_loop_delay_seconds)[ {]/;

/** `texts` as MetricsText makes them; families and samples in the order in which they come first. */
export function sumMetrics(texts: readonly string[]): string {
  if (texts.length === 1) return texts[0]!;
  /** by family: its head, and its samples */
  const families = new Map<string, { head: string[]; samples: Map<string, number> }>();
  for (const text of texts) {
    let family = { head: [] as string[], samples: new Map<string, number>() };
    for (const line of text.split('\n')) {
      if (line === '') continue;
      if (line.startsWith('# HELP ')) {
        const name = line.split(' ', 3)[2]!;
        family = families.getOrInsertComputed(name, () => ({ head: [line], samples: new Map() }));
      } else if (line.startsWith('#')) {
        if (family.head.length === 1) family.head.push(line);
      } else {
        const end = line.lastIndexOf(' ');
        const [key, value] = [line.slice(0, end), Number(line.slice(end + 1))];
        const before = family.samples.get(key);
        const sum = LARGEST.test(line) ? Math.max(before ?? value, value) : (before ?? 0) + value;
        family.samples.set(key, sum);
      }
    }
  }
  const lines = [...families.values()].flatMap(({ head, samples }) => [
    ...head,
    ...Array.from(samples, ([key, value]) => `${key} ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

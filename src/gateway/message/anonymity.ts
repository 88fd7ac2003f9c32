// Nobody is shown the author of an anonymous message, administrators included.

import { anonymityOf, HIDDEN_NAMES } from '../../protocol/message-fields.ts';
import type { OpenedMessage } from './head.ts';

/** What stands in the place of the author of an anonymous message; undefined for others. */
export function hiddenFrom({ head }: Pick<OpenedMessage, 'head'>): string | undefined {
  const kind = anonymityOf(head.fields);
  return kind && HIDDEN_NAMES[kind];
}

// Which post answers which: the last one of its references that is here.

/** @import { MailboxEntry as Row } from '../../api/interface.d.ts' */

/**
 * Posts that answer none that is here, and the answers to each; `isFlat` takes none for an answer.
 * @param {Row[]} rows ascending @param {boolean} isFlat
 */
export function answersOf(rows, isFlat) {
  /** @type {Map<number, Row>} */
  const byId = new Map();
  /** @type {Map<Row, Row[]>} */
  const answers = new Map();
  /** @type {Row[]} */
  const roots = [];
  for (const row of rows) {
    const above = isFlat ? undefined : row.references.map((id) => byId.get(id)).findLast(Boolean);
    const siblings = above ? answers.get(above) : roots;
    if (siblings) siblings.push(row);
    else if (above) answers.set(above, [row]);
    byId.set(row.msgidhash, row);
  }
  return { roots, answers };
}

// GET r/:room/:name/json: a message for a page to show: header fields decoded, parts listed, text made safe.

import type { App } from '../gateway/app.ts';
import { hiddenFrom } from '../gateway/message/anonymity.ts';
import { type OpenedMessage, withNamed } from '../gateway/message/head.ts';
import { timeOf } from '../gateway/message/representation.ts';
import { callerInRoom } from '../gateway/request-room.ts';
import type { Exchange } from '../http/exchange.ts';
import { JSON_TYPE, send } from '../http/respond.ts';
import { splitAddresses, unsubscribeAddresses } from '../mime/addresses.ts';
import { decodeWords } from '../mime/coding/encoded-words.ts';
import { headerValue } from '../mime/headers.ts';
import { storedContent } from '../mime/stored-content.ts';
import { UNTYPED } from '../model.ts';
import type { MessageHead } from '../room-server/messages.ts';
import { readingOfMessage, wantedOf } from './message-reading.ts';

/** GET r/:room/:name/json */
export async function getMessageJson(exchange: Exchange, app: App): Promise<void> {
  const wanted = wantedOf(exchange);
  const answer = async (message: OpenedMessage) => {
    const { msgnum, head } = message;
    const reading = await readingOfMessage(message, wanted);
    const hidden = hiddenFrom(message);
    const fields = {
      msgnum,
      ...headerFields(head, hidden),
      seen: head.seen,
      content_type: storedContent(head.headers, head.fields.get('type') ?? '').contentType || UNTYPED,
    };
    await send(exchange, 200, { type: JSON_TYPE, body: [Buffer.from(JSON.stringify(fields).slice(0, -1)), reading] });
  };
  const context = await callerInRoom(exchange, app);
  return app.keptReplies.send(context, '', () => withNamed(context, exchange.params.name!, answer, true));
}

/** Fields that a message does not have are absent. */
function headerFields(head: MessageHead, hidden: string | undefined) {
  const { fields, headers, entered } = head;
  const text = (name: string) => fields.get(name);
  const words = (name: string) => (fields.has(name) ? decodeWords(fields.get(name)!) : undefined);
  // a draft has its recipients in its header
  const list = (name: string, header: string) => {
    const value = fields.get(name) ?? headerValue(headers, header);
    return value === undefined ? undefined : splitAddresses(value);
  };
  return {
    msgn: text('msgn'),
    time: timeOf(head),
    from: hidden ?? words('from'),
    rfca: hidden === undefined ? text('rfca') : undefined,
    room: text('room'),
    subj: words('subj'),
    wefw: text('wefw'),
    exti: text('exti'),
    rcpt: list('rcpt', 'to'),
    cccc: list('cccc', 'cc'),
    bccc: entered.isPersonal ? list('bccc', 'bcc') : undefined,
    unsubscribe: hidden === undefined ? unsubscribeAddresses(headerValue(headers, 'List-Unsubscribe')) : undefined,
    locl: fields.get('locl') === 'yes' && hidden === undefined ? true : undefined,
  };
}

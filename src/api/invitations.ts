// POST r/:room/:name/invitation: an invitation that has come as mail is answered (RFC 6047, RFC 6638).

import { AppError } from '../errors.ts';
import type { App } from '../gateway/app.ts';
import { withNumber } from '../gateway/message/head.ts';
import { userInRoom } from '../gateway/request-room.ts';
import { answerInvitation, type InvitationAnswer } from '../gateway/scheduling/invitation.ts';
import { readJson } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { asJson, send } from '../http/respond.ts';

const ANSWERS: Readonly<Record<string, InvitationAnswer>> = {
  accepted: 'ACCEPTED',
  tentative: 'TENTATIVE',
  declined: 'DECLINED',
};

/** of RECURRENCE-ID (RFC 5545 section 3.8.4.4) */
const RECURRENCE_ID = /^\d{8}(T\d{6}Z?)?$/;

/**
 * `{"answer":"accepted"}`, `tentative` or `declined`, with `"recurrence_id":"20260603T080000Z"` to one of a series;
 * `{}` for a cancellation or a guest's answer → 200 `{"room":"Calendar","msgnum":12,"schedule_status":"1.2"}`. Throws
 * bad_request, conflict, as withNumber.
 */
export async function postInvitation(exchange: Exchange, app: App): Promise<void> {
  const context = await userInRoom(exchange, app);
  const { answer, recurrenceId } = answerIn(await readJson(exchange));
  const answered = await withNumber(context, exchange.params.name!, ({ msgnum }) =>
    answerInvitation({ ...context, msgnum }, answer, recurrenceId),
  );
  const { room, msgnum, status } = answered;
  await send(exchange, 200, asJson({ room, msgnum, ...(status === undefined ? {} : { schedule_status: status }) }));
}

function answerIn(body: unknown): { answer: InvitationAnswer | undefined; recurrenceId: string | undefined } {
  const { answer, recurrence_id: id, ...rest } = (body ?? {}) as Record<string, unknown>;
  const known = typeof answer === 'string' && Object.hasOwn(ANSWERS, answer) ? ANSWERS[answer] : undefined;
  if (Object.keys(rest).length > 0 || (answer !== undefined && known === undefined)) {
    throw new AppError('bad_request', 'Send {"answer":"accepted"}, "tentative" or "declined".');
  }
  const isId = typeof id === 'string' && RECURRENCE_ID.test(id);
  if (id !== undefined && (!isId || known === undefined)) {
    throw new AppError('bad_request', 'With an answer, recurrence_id is as in RECURRENCE-ID: 20260603T080000Z.');
  }
  return { answer: known, recurrenceId: isId ? id : undefined };
}

// A message as JSON tells it, for tests that read whole messages.

import assert from 'node:assert/strict';
import type { Api } from './gateway.ts';

export interface PartJson {
  partnum: string;
  filename: string;
  disposition: string;
  content_type: string;
  charset: string;
  content_length: number;
  size?: number;
  content_id: string;
}

export interface MessageJson {
  subj?: string;
  from?: string;
  rfca?: string;
  time?: number;
  rcpt?: string[];
  content_type: string;
  text: string;
  parts: PartJson[];
  has_blocked_remote: boolean;
  is_cut: boolean;
}

export async function readJson(api: Api, path: string): Promise<MessageJson> {
  const response = await api(path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as MessageJson;
}

/** `'2 application/pdf Plan 2026.pdf'`; without a blank at the end where the part has no name */
export function partRow({ partnum, content_type, filename }: PartJson): string {
  return `${partnum} ${content_type}${filename && ` ${filename}`}`;
}

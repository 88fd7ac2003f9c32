// Sync-tokens (RFC 6578 section 4) that contain a list: a URI with the list, packed and signed. Any gateway with the same
// key reads it, also after a restart, and nobody can forge one.

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { MAX_SYNC_TOKEN_BYTES, MAX_UNPACKED_TOKEN_BYTES } from '../limits/dav.ts';

/** Signs with a key that only the gateways have. */
export interface ListSigner {
  /** 32 bytes */
  sign(content: Buffer): Buffer;
  /** `part` is the beginning of a signature of `content`. */
  isSigned(content: Buffer, part: Buffer): boolean;
}

/** How tokens of a kind begin: `data:,` and a letter. After it, in base64url: a signature and the packed list. */
export interface TokenKind {
  list: string;
  /** of what is too large: a signature only */
  digest: string;
}

const SIGNATURE_BYTES = 16;

/**
 * Deterministic, and valid for this owner only. A list that is too large becomes a digest, which only tells whether it
 * has changed.
 */
export function tokenOfList(signer: ListSigner, kind: TokenKind, owner: string, list: Buffer): string {
  const packed = deflateRawSync(list);
  const isListed = packed.length + SIGNATURE_BYTES <= MAX_SYNC_TOKEN_BYTES && list.length <= MAX_UNPACKED_TOKEN_BYTES;
  const [start, shown] = isListed ? [kind.list, packed] : [kind.digest, Buffer.alloc(0)];
  const content = signedContent(owner, start, isListed ? packed : list);
  const signature = signer.sign(content).subarray(0, SIGNATURE_BYTES);
  return start + Buffer.concat([signature, shown]).toString('base64url');
}

/** Undefined for a digest, and for a token that tokenOfList did not make for this owner. */
export function listOfToken(signer: ListSigner, { list: start }: TokenKind, owner: string, token: string) {
  if (!token.startsWith(start) || token.length > start.length + Math.ceil((MAX_SYNC_TOKEN_BYTES * 4) / 3))
    return undefined;
  const bytes = Buffer.from(token.slice(start.length), 'base64url');
  if (bytes.length <= SIGNATURE_BYTES) return undefined;
  const packed = bytes.subarray(SIGNATURE_BYTES);
  const signature = bytes.subarray(0, SIGNATURE_BYTES);
  if (!signer.isSigned(signedContent(owner, start, packed), signature)) return undefined;
  return inflateRawSync(packed, { maxOutputLength: MAX_UNPACKED_TOKEN_BYTES });
}

function signedContent(owner: string, form: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${form}\n${owner}\n\n`), content]);
}

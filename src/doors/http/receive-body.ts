import { errorCodes, type FastifyRequest } from 'fastify';
import { Refused } from '../../operations/refusal.ts';
import { GrowingBytes } from '../../platform/growing-bytes.ts';

/** Calls back once with the whole body of a request, which may have so many bytes, or with why it is not read. */
export function receiveBody(
  { raw, headers }: FastifyRequest,
  maxBytes: number,
  done: (error: Error | undefined, body: GrowingBytes) => void,
): void {
  const body = new GrowingBytes();
  const announced = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
  if (announced !== undefined && announced > maxBytes) {
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), body);
    return;
  }
  const end = (error?: Error) => {
    raw.off('data', add);
    raw.off('end', complete);
    raw.off('error', fail);
    if (error) body.clear();
    done(error, body);
  };
  const add = (piece: Buffer) => {
    if (body.length + piece.length > maxBytes) end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    else body.append(piece, announced);
  };
  const complete = () => {
    const isShort = announced !== undefined && body.length !== announced;
    end(isShort ? new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH() : undefined);
  };
  // A client that has gone, or a body that is refused for others.
  const fail = (error: Error) =>
    end(error instanceof Refused ? error : new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
  raw.on('data', add);
  raw.on('end', complete);
  raw.on('error', fail);
  raw.resume();
}

// Takes the first file of a multipart form, as it comes (RFC 7578).
import type { Busboy, BusboyFileStream } from '@fastify/busboy';
import { AppError, LIMITS } from '@weft/contract';
import { TransportError } from '@weft/serve';

/** A file of a form while it is being sent. */
export interface UploadedPart {
  readonly name: string | undefined;
  readonly contentType: string | undefined;
  /** Throws AppError `bad_request` where the form is cut off or broken, TransportError 413 where the file is too large. */
  readonly content: AsyncIterable<Uint8Array>;
}

type Form = InstanceType<typeof Busboy>;

const PARTS_MAX = 100;
const HEADER_PAIRS_MAX = 50;
const FIELD_BYTES_MAX = 65_536;

/**
 * Reads the form in `body` to its end and gives its first file to `take`; other files and fields are passed over. Resolves with what `take`
 * does, once the form has ended well. `undo` is called with it when the rest of the form was broken. Throws AppError `bad_request` for a
 * body that is no form or has no file, TransportError 413 for a file above `bytesMax`, and whatever `take` throws.
 */
export async function receiveUpload<T>(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  take: (part: UploadedPart) => Promise<T>,
  undo: (taken: T) => void,
  bytesMax: number = LIMITS.uploadBytesMax,
): Promise<T> {
  const form = await openForm(contentType);
  const ended = Promise.withResolvers<void>();
  form.on('finish', ended.resolve);
  form.on('error', (error) => ended.reject(brokenForm(error)));
  let first: { readonly stream: BusboyFileStream; readonly taken: Promise<T> } | undefined;
  form.on('file', (_field, stream, name, _encoding, type) => {
    // A form that breaks off says so on a file that nobody may be reading.
    stream.on('error', () => undefined);
    if (first) return void stream.resume();
    first = { stream, taken: take({ name, contentType: type, content: contentOf(stream, bytesMax) }) };
    // Nobody reads the rest of a file that could not be taken, so the form would never end by itself.
    first.taken.catch(ended.reject);
  });
  const failure = await feed(body, form, ended.promise);
  if (!first) throw failure ?? new AppError('bad_request', 'The form has no file; send one as multipart/form-data, with a filename.');
  if (failure) first.stream.destroy(failure);
  const result = await first.taken;
  if (!failure) return result;
  undo(result);
  throw failure;
}

async function openForm(contentType: string): Promise<Form> {
  const { Busboy } = await import('@fastify/busboy');
  const limits = { parts: PARTS_MAX, headerPairs: HEADER_PAIRS_MAX, fieldSize: FIELD_BYTES_MAX };
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits, preservePath: true });
  } catch (error) {
    throw new AppError('bad_request', 'The form has no usable boundary; send it as multipart/form-data with one.', { cause: error });
  }
}

/**
 * Gives the form its bytes one piece at a time; what was wrong with it, if anything. Then the rest is read all the same: a sender who is still
 * sending would otherwise see its connection break instead of the answer.
 */
async function feed(body: AsyncIterable<Uint8Array>, form: Form, ended: Promise<void>): Promise<Error | undefined> {
  let failure: Error | undefined;
  ended.catch((error: Error) => (failure ??= error));
  try {
    for await (const piece of body) if (!failure) await Promise.race([written(form, piece), ended.catch(() => undefined)]);
  } catch (error) {
    return failure ?? brokenForm(error);
  }
  if (failure) return failure;
  form.end();
  return await ended.then(
    () => undefined,
    (error: Error) => error,
  );
}

function written(form: Form, piece: Uint8Array): Promise<void> {
  return new Promise((resolve) => void form.write(piece, () => resolve()));
}

async function* contentOf(stream: BusboyFileStream, bytesMax: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      size += piece.byteLength;
      if (size > bytesMax) throw new TransportError(413, `The file is larger than ${bytesMax} bytes.`);
      yield piece;
    }
  } catch (error) {
    throw error instanceof TransportError || error instanceof AppError ? error : brokenForm(error);
  }
}

function brokenForm(error: unknown): AppError {
  return new AppError('bad_request', 'The form ended before it was complete, or is not one; nothing was kept.', { cause: error });
}

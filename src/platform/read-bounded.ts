/** An answer of another service with more bytes than are read of it. */
export class EndlessAnswer extends Error {
  override name = 'EndlessAnswer';
}

/** The content of an answer, counted after decompression: a small answer can become any number of bytes. */
export async function readBounded(response: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new EndlessAnswer(`more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

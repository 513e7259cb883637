/** What is wrong with a request for a certificate, in one sentence. */
export class BadRequest extends Error {
  override name = 'BadRequest';
}

import type { Attack } from './attack.ts';
import { callAtRate, postHead } from './raw-connection.ts';

const FORM = 'Content-Type: application/x-www-form-urlencoded';
const PIECES = ['a&', '&', 'a=&', '%', '%C3&', 'a=%ZZ&'];
/** What is read before a login, and what is read of people who are logged in. */
const LENGTHS = [16_384, 1024 * 1024];
const PATHS = ['/console/login', '/console/domains/register', '/confirm/abc', '/lookup'];

/** Ten times a second a form of fields without values, or of broken escapes, as large as forms may be. */
export const formFields: Attack = {
  name: 'form fields',
  start: ({ port }) => {
    const requests = PATHS.flatMap((path) =>
      LENGTHS.flatMap((length) =>
        PIECES.map((piece) => {
          const body = piece.repeat(length / piece.length);
          return postHead(path, body.length, [FORM, 'Connection: close']) + body;
        }),
      ),
    );
    return callAtRate(port, 10, (index) => requests[index % requests.length] ?? '');
  },
};

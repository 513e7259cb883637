import { framed } from '../epp.ts';
import { envelope } from '../epp-frames.ts';
import type { Stop, Target } from './attack.ts';
import { holdOpen, openSecure } from './raw-connection.ts';

const IETF = 'urn:ietf:params:xml:ns:';
/** As many as a registrar may have by default. */
export const SESSIONS = 4;
const REOPEN_AFTER_MS = 500;

export const domainCheck = (names: readonly string[], extensions: readonly string[] = []): string =>
  envelope(
    {
      body: `<check><domain:check xmlns:domain="${IETF}domain-1.0">${names
        .map((name) => `<domain:name>${name}</domain:name>`)
        .join('')}</domain:check></check>`,
    },
    extensions,
    'HOSTILE-1',
  );

/** All sessions that a registrar may have, each of which sends the frames in turns: so many ahead, and the next one upon each answer. */
export function sendInSessions(
  { eppPort = 0, credentials: { registrar = '' } = {} }: Target,
  documents: readonly string[],
  ahead = 1,
): Stop {
  const frames = documents.map(framed);
  const login = framed(loginOf(registrar));
  return holdOpen(
    SESSIONS,
    (index) => {
      const socket = openSecure(eppPort);
      let [answers, missing, header] = [0, 0, Buffer.alloc(0)];
      let sent = index;
      const sendNext = () => {
        const next = frames[sent % frames.length];
        sent += 1;
        if (next) socket.write(next);
      };
      const answered = () => {
        answers += 1;
        if (answers === 1) socket.write(login);
        else if (answers > 2) sendNext();
        else for (let count = 0; count < ahead; count += 1) sendNext();
      };
      socket.on('data', (chunk: Buffer) => {
        for (let rest = chunk; rest.length > 0; ) {
          if (missing === 0) {
            header = Buffer.concat([header, rest.subarray(0, 4 - header.length)]);
            rest = rest.subarray(header.length);
            if (header.length < 4) return;
            missing = header.readUInt32BE() - 4;
            header = Buffer.alloc(0);
          }
          const read = Math.min(missing, rest.length);
          missing -= read;
          rest = rest.subarray(read);
          if (missing === 0) answered();
        }
      });
      return socket;
    },
    REOPEN_AFTER_MS,
  );
}

/** The user of an Authorization header. */
export function loginOf(authorization: string): string {
  const [user, password] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
  const services = `<objURI>${IETF}domain-1.0</objURI><svcExtension><extURI>${IETF}epp:fee-1.0</extURI></svcExtension>`;
  return envelope({
    body: `<login><clID>${user}</clID><pw>${password}</pw><options><version>1.0</version><lang>en</lang></options><svcs>${services}</svcs></login>`,
  });
}

import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import tls from 'node:tls';
import { selfSigned } from './certificates.ts';
import { framed } from './epp.ts';

export const GREETING = `<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><greeting><svID>Script</svID>
  <svDate>2026-01-02T03:04:05Z</svDate><svcMenu><version>1.0</version><lang>en</lang>
  <objURI>urn:ietf:params:xml:ns:domain-1.0</objURI><objURI>urn:ietf:params:xml:ns:contact-1.0</objURI>
  <svcExtension><extURI>urn:ietf:params:xml:ns:epp:loginSec-1.0</extURI></svcExtension></svcMenu>
  <dcp><access><all/></access><statement><purpose><prov/></purpose><recipient><public/></recipient>
  <retention><stated/></retention></statement></dcp></greeting></epp>`;

export const response = (clTRID: string, code = 1000, more = ''): string =>
  `<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><response><result code="${code}"><msg>Done</msg></result>${more}
  <trID><clTRID>${clTRID}</clTRID><svTRID>SV-1</svTRID></trID></response></epp>`;

/** A server that sends the greeting and then what `answer` returns for each frame; it closes where that is undefined. */
export async function startScriptedServer(answer: (frame: string) => string | undefined) {
  const identity = await selfSigned('localhost');
  const sockets = new Set<Socket>();
  const server = tls.createServer({ key: identity.key, cert: identity.cert }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write(framed(GREETING));
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 4 && received.length >= received.readUInt32BE(0)) {
        const length = received.readUInt32BE(0);
        const reply = answer(received.toString('utf8', 4, length));
        received = received.subarray(length);
        if (reply === undefined) socket.end();
        else socket.write(framed(reply));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    ca: identity.cert,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

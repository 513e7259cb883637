import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SandboxAddresses } from '../../src/doors/sandbox/sandbox-addresses.ts';
import { commandIn, debianPackages, type Unpacked } from './debian-packages.ts';

/** The client of Debian 13 with the libraries that it was built with. */
export const findWhois = (): Unpacked =>
  debianPackages('trixie', 'whois', ['libc6', 'libidn2-0', 'libunistring5', 'libcrypt1']);

export const whoisProgram = (root: string) => commandIn(root, 'usr/bin/whois');

/** Sends bytes as they are and returns the whole answer. */
export async function askWhois(port: number, query: string | Buffer, host = '127.0.0.1'): Promise<string> {
  const socket = connect({ port, host });
  socket.write(query);
  return text(socket);
}

/** One that is reset by the server does not fail the test. */
export function openWhois(port: number): Socket {
  return connect(port, '127.0.0.1').on('error', () => {});
}

export async function whoisPortOf(url: string): Promise<number> {
  const { whois } = (await (await fetch(`${url}/sandbox`)).json()) as SandboxAddresses;
  return whois?.port ?? 0;
}

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { dig, runDns } from './dns-programs.ts';
import type { SignedChain } from './signed-chain.ts';

/** Validates an answer of a server, with the keys of `ee` as the only trust anchor. */
export async function validate(
  chain: SignedChain,
  port: number,
  name: string,
  type: string,
): Promise<string> {
  const { knot } = chain.programs;
  const asked = ['@127.0.0.1', '-p', String(port), '+short', 'ee', 'DNSKEY'];
  const keys = (await dig(knot, ...asked)).filter((line) => line.startsWith('257 '));
  const anchors = keys.map((line) => {
    const [flags, protocol, algorithm, ...bytes] = line.split(' ');
    return `ee. static-key ${flags} ${protocol} ${algorithm} "${bytes.join('')}";`;
  });
  const file = path.join(chain.folder, 'anchors');
  writeFileSync(file, `trust-anchors { ${anchors.join('\n')} };\n`);
  const options = ['-a', file, '+root=ee', '@127.0.0.1', '-p', String(port), name, type];
  return (await runDns(knot, 'usr/bin/delv', options).catch(String)).toString();
}

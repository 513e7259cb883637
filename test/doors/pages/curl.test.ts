import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { curl } from '../../../src/doors/html/code-block.ts';

/** The arguments that a shell would pass to curl. */
function wordsOf(command: string, env: NodeJS.ProcessEnv = {}): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1);
}

describe('curl', () => {
  test('success: every argument is quoted for the shell, with any characters', () => {
    const body = { name: `O'Neil "$HOME" \`id\` \\ õäöü` };
    const command = curl({
      user: "a:p'w",
      method: 'POST',
      url: 'http://h/x?a=1&b=2',
      headers: { 'X-Y': "it's" },
      body,
    });
    const [x, method, url, u, user, h, header, h2, type, d, sent] = wordsOf(command);
    expect([x, method, url, u, user, h, header]).toEqual([
      '-X',
      'POST',
      'http://h/x?a=1&b=2',
      '-u',
      "a:p'w",
      '-H',
      "X-Y: it's",
    ]);
    expect([h2, type, d]).toEqual(['-H', 'Content-Type: application/json', '-d']);
    expect(JSON.parse(sent ?? '')).toEqual(body);
  });

  test('success: a GET is as short as can be', () => {
    expect(curl({ url: 'http://h/x' })).toBe('curl http://h/x');
  });

  test('success: a user in double quotes is left to the shell', () => {
    const words = wordsOf(curl({ user: '"$API_USER:$API_PASSWORD"', url: 'http://h/' }), {
      API_USER: 'me',
      API_PASSWORD: 'a b',
    });
    expect(words).toEqual(['http://h/', '-u', 'me:a b']);
  });
});

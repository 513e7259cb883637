import { toASCII } from 'tr46';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domainsOfEveryKind } from '../../support/rdap-objects.ts';
import { findIcannRdap, findOpenRdap, runRdap } from '../../support/rdap-programs.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
let names: Awaited<ReturnType<typeof domainsOfEveryKind>>;
beforeAll(async () => {
  registry = await startRegistry();
  names = await domainsOfEveryKind(registry);
});
afterAll(() => registry.stop());

const KINDS = ['person', 'organisation', 'expired', 'held', 'signed', 'idn'] as const;
const openRdap = findOpenRdap();
const icannRdap = findIcannRdap();

describe('OpenRDAP', () => {
  const reason = 'reason' in openRdap ? `: ${openRdap.reason}` : '';
  const root = 'root' in openRdap ? openRdap.root : '';
  const ask = (type: string, name: string) =>
    runRdap(root, 'usr/bin/rdap', ['--cache-dir=', '-s', `${registry.url}/rdap`, '-t', type, name]);

  test.skipIf(reason).each(KINDS)(`success: the domain of kind %s${reason}`, async (kind) => {
    const { code, stdout, stderr } = await ask('domain', names[kind]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Domain Name: ${toASCII(names[kind])}`);
  });

  test.skipIf(reason)(`success: registrar and nameserver${reason}`, async () => {
    const registrar = await ask('entity', 'ALPHA');
    expect([registrar.code, registrar.stderr]).toEqual([0, '']);
    expect(registrar.stdout).toContain('ALPHA');
    const host = await ask('nameserver', `ns1.${names.signed}`);
    expect([host.code, host.stderr]).toEqual([0, '']);
    expect(host.stdout).toContain('8.8.8.8');
  });

  test.skipIf(reason)(`failure: a name that is not registered${reason}`, async () => {
    const { code, stderr } = await ask('domain', 'nobody-has-this.ee');
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/does not exist|not found|404/i);
  });
});

describe("ICANN's rdap-test", () => {
  const reason = 'reason' in icannRdap ? `: ${icannRdap.reason}` : '';
  const root = 'root' in icannRdap ? icannRdap.root : '';
  /** The lines of errors and warnings, without addresses. */
  const complaintsAbout = async (path: string, ...options: string[]): Promise<string[]> => {
    const checks = ['-T', '--skip-v6', '-C', 'error', '-C', 'warning', ...options];
    const { code, stdout, stderr } = await runRdap(root, 'usr/bin/rdap-test', [
      ...checks,
      `${registry.url}/rdap/${path}`,
    ]);
    const complaints = [...stdout.matchAll(/^ +(\S+) *: (\w+):\((\d{4})\) (.*)$/gm)].map(([line]) =>
      line.trim(),
    );
    if ((code === 0) !== (complaints.length === 0))
      throw new Error(`it ended with ${code}:\n${stdout}${stderr}`);
    expect(stdout).toContain('TESTED');
    return [...new Set(complaints)];
  };

  test.skipIf(reason).each(KINDS)(`success: the domain of kind %s (rdap-01)${reason}`, async (kind) => {
    expect(await complaintsAbout(`domain/${toASCII(names[kind])}`, '-e', 'redacted')).toEqual([]);
  });

  test.skipIf(reason)(`success: registrar (rdap-03), nameserver and help (rdap-04)${reason}`, async () => {
    // Version 1.0.1 takes an entity within an entity for the root of the answer.
    expect(await complaintsAbout('entity/ALPHA')).toEqual([
      expect.stringMatching(/^\[ROOT\]\/entity\/entity\/\[0\]\/rdap_conformance: .*\(0100\)/),
    ]);
    expect(await complaintsAbout(`nameserver/ns1.${names.signed}`)).toEqual([]);
    expect(await complaintsAbout('help')).toEqual([]);
  });

  test.skipIf(reason)(`failure: it finds errors, such as a missing extension${reason}`, async () => {
    expect(await complaintsAbout('help', '-e', 'redacted')).toEqual([expect.stringContaining('(2104)')]);
  });
});

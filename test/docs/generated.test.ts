import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { program } from '../../src/app/program.ts';
import { allJobs } from '../support/all-jobs.ts';
import { listedMetrics } from '../support/listed-metrics.ts';
import { operatorOperations, unreachable } from '../support/operator-operations.ts';
import { freshRegistryForThisTest, registryForThisTest } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import {
  alertsPage,
  catalogues,
  commandsPage,
  configurationPage,
  errorsPage,
  eventTypesPage,
  jobsPage,
  metricsPage,
  operationsPage,
  operatorCatalogues,
} from './generated-pages.ts';
import { anchorsOf, blocksOf, everyPage, proseOf, ROOT, readPage } from './markdown.ts';
import { operatorPages } from './operator-pages.ts';

const whole = await program();

describe('generated pages', () => {
  test('success: docs/integrate/errors.md is what the catalogue of refusals says', async () => {
    await expect(errorsPage()).toMatchFileSnapshot(path.join(ROOT, 'docs/integrate/errors.md'));
  });

  test('success: docs/integrate/event-types.md has every type of poll message and of event', async () => {
    await expect(eventTypesPage()).toMatchFileSnapshot(path.join(ROOT, 'docs/integrate/event-types.md'));
  });

  test('success: docs/operate/commands.md is what the commands say of themselves', async () => {
    await expect(commandsPage(whole)).toMatchFileSnapshot(path.join(ROOT, 'docs/operate/commands.md'));
  });

  test('success: docs/operate/alerts.md is what the rules for Prometheus say', async () => {
    const rules = readPage('deploy/prometheus/cadastre.rules.yml');
    await expect(alertsPage(rules)).toMatchFileSnapshot(path.join(ROOT, 'docs/operate/alerts.md'));
  });

  test('success: docs/operate/job-list.md is what the jobs say', async () => {
    await expect(jobsPage(allJobs())).toMatchFileSnapshot(path.join(ROOT, 'docs/operate/job-list.md'));
  });

  test('success: docs/operate/metrics.md is what the processes register', async () => {
    const page = metricsPage(await listedMetrics());
    await expect(page).toMatchFileSnapshot(path.join(ROOT, 'docs/operate/metrics.md'));
  });

  test('success: docs/operate/configuration.md is what the table of settings says', async () => {
    await expect(configurationPage()).toMatchFileSnapshot(path.join(ROOT, 'docs/operate/configuration.md'));
  });
});

describe('what operators do', () => {
  test('success: docs/operate/operator-operations.md is what the operations say', async () => {
    const page = operationsPage(await operatorOperations());
    await expect(page).toMatchFileSnapshot(path.join(ROOT, 'docs/operate/operator-operations.md'));
  });

  test('success: every operation is run by a command or a page, and its refusals are in a catalogue', async () => {
    const operations = await operatorOperations();
    expect(unreachable(operations)).toEqual([]);
    const known = [...operatorCatalogues, ...catalogues.map(({ catalogue }) => catalogue)];
    const unknown = operations.flatMap(({ refusals }) =>
      refusals.filter((refusal) => !known.some((catalogue) => refusal in catalogue)),
    );
    expect(unknown).toEqual([]);
  });
});

describe('references of the pages', () => {
  test('success: every relative link leads to a file, and its anchor to a heading', () => {
    const links = everyPage().flatMap(linksOf);
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((link) => !leadsSomewhere(link))).toEqual([]);
  });

  test('success: every npm script that a page names is in package.json', () => {
    const named = everyPage().flatMap((page) =>
      Array.from(
        readPage(page).matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/g),
        ([, run, short]) => ({
          page,
          script: run ?? short ?? '',
        }),
      ),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ script }) => !Object.hasOwn(packageJson.scripts, script))).toEqual([]);
  });

  test('success: every cadastre command that a page names exists, with the options it is given', () => {
    const lines = everyPage().flatMap((page) => commandLinesOf(page).map((line) => ({ page, line })));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter(({ line }) => complaint(whole, line.split(/\s+/)))).toEqual([]);
  });

  test('success: every cadastre command is shown in a page for operators that somebody wrote', () => {
    const written = operatorPages().filter((page) => !readPage(page).startsWith('<!-- Generated'));
    const documented = written.flatMap(commandLinesOf).join('\n');
    const missing = everyCommand(whole).filter((name) => !new RegExp(`^${name}\\b`, 'm').test(documented));
    expect(missing).toEqual([]);
  });

  test('success: docs/operate/metrics.md lists what a server shows at /metrics', async () => {
    const { metricsUrl } = await freshRegistryForThisTest({ eppPort: 0, dnsPort: 0, whoisPort: 0 });
    const text = await (await fetch(metricsUrl)).text();
    const shown = Array.from(text.matchAll(/^# HELP (cadastre_\w+)/gm), ([, name]) => name ?? '');
    const documented = readPage('docs/operate/metrics.md');
    expect(shown.length).toBeGreaterThan(60);
    expect(shown.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });

  test('success: docs/operate/job-list.md lists every job of a server', async () => {
    const { sql: db } = await registryForThisTest();
    const rows = await db.rows(sql<{ name: string }>`select name from jobs where name <> 'simulate'`);
    const documented = readPage('docs/operate/job-list.md');
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ name }) => !documented.includes(`\`${name}\``))).toEqual([]);
  });

  test('success: docs/dependencies.md has a line for every entry of package.json', () => {
    const { dependencies, optionalDependencies, devDependencies, overrides } = packageJson;
    const entries = Object.keys({
      ...dependencies,
      ...optionalDependencies,
      ...devDependencies,
      ...overrides,
    });
    const documented = readPage('docs/dependencies.md');
    expect(entries.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });

  test('failure: a dead link, an unknown anchor, an unknown command and an unknown option are detected', () => {
    expect(leadsSomewhere({ page: 'README.md', target: 'docs/no-such-page.md' })).toBe(false);
    expect(leadsSomewhere({ page: 'README.md', target: 'docs/integrate/errors.md#no-such-heading' })).toBe(
      false,
    );
    expect(leadsSomewhere({ page: 'README.md', target: 'docs/integrate/errors.md#by-code' })).toBe(true);
    expect(complaint(whole, ['frobnicate'])).toBe('frobnicate');
    expect(complaint(whole, ['user', 'frobnicate'])).toBe('frobnicate');
    expect(complaint(whole, ['user', 'list', '--frobnicate'])).toBe('--frobnicate');
    expect(complaint(whole, ['ledger', 'correct', 'A', '--frobnicate', '--', '-1.00'])).toBe('--frobnicate');
    expect(complaint(whole, ['ledger', 'correct', 'A', '--reason', 'x', '--', '-1.00'])).toBe(undefined);
  });
});

type Link = { readonly page: string; readonly target: string };

function linksOf(page: string): Link[] {
  const prose = proseOf(readPage(page)).replace(/`[^`\n]*`/g, '');
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => ({ page, target })).filter(
    ({ target }) => !/^[a-z]+:/.test(target),
  );
}

function leadsSomewhere({ page, target }: Link): boolean {
  const [file = '', anchor] = target.split('#');
  const found = file === '' ? page : path.join(path.dirname(page), file);
  if (!existsSync(path.join(ROOT, found))) return false;
  if (anchor === undefined) return true;
  return statSync(path.join(ROOT, found)).isFile() && anchorsOf(readPage(found)).has(anchor);
}

/** The arguments of `cadastre` wherever a page shows a command: in a code span, or in a shell block. */
function commandLinesOf(page: string): string[] {
  const text = readPage(page);
  const spans = Array.from(proseOf(text).matchAll(/`([^`\n]+)`/g), ([, span = '']) => span);
  const shell = blocksOf(text)
    .filter(({ language }) => ['sh', 'ini'].includes(language))
    .flatMap((block) => block.text.split('\n'));
  return [...spans, ...shell].flatMap((line) => {
    const found = /(?:^|[\s/=])cadastre +([a-z].*)$/.exec(line.replace(/ +#.*$/, ''));
    return found?.[1] === undefined ? [] : [found[1]];
  });
}

/** The first unknown word of a command line, or undefined. */
function complaint(command: Command, words: readonly string[]): string | undefined {
  const [word = '', ...rest] = words;
  const sub = command.commands.find((known) => known.name() === word);
  if (sub) return complaint(sub, rest);
  if (command.commands.length > 0) return word || undefined;
  const end = words.indexOf('--');
  const options = (end < 0 ? words : words.slice(0, end))
    .filter((item) => item.startsWith('--'))
    .map((item) => item.split('=', 1)[0] ?? '');
  return options.find((item) => item !== '--help' && !command.options.some(({ long }) => long === item));
}

function everyCommand(command: Command): string[] {
  return command.commands.flatMap((sub) =>
    sub.commands.length === 0 ? [sub.name()] : everyCommand(sub).map((name) => `${sub.name()} ${name}`),
  );
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { type Document, sendForGood, staticDocument } from '../html/page-answer.ts';
import { CONSOLE_PREFIX } from './prefix.ts';
import { consoleStylesheet } from './style/stylesheet.ts';

type Asset = { readonly path: string; readonly document: Document };

/** A file whose address changes with its content, so that browsers may keep it for good. */
function asset(name: string, extension: string, type: string, content: string | Buffer): Asset {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { path: `/assets/${name}-${digest}.${extension}`, document: staticDocument(type, content) };
}

const styles = asset('console', 'css', 'text/css; charset=utf-8', consoleStylesheet);
/** A browser module. */
const script = (name: string): Asset =>
  asset(
    name,
    'js',
    'text/javascript; charset=utf-8',
    readFileSync(new URL(`./browser/${name}.js`, import.meta.url), 'utf8'),
  );
const passkeys = script('passkeys');
const fileField = script('file-field');
const availability = script('availability');
export const availabilityScript = CONSOLE_PREFIX + availability.path;
const contactPicker = script('contact-picker');
export const contactPickerScript = CONSOLE_PREFIX + contactPicker.path;
const copying = script('copy');
const jobProgress = script('job-progress');
const selection = script('selection');
const dryRun = script('dry-run');
const loginDialog = script('login-dialog');
const shell = script('shell');
const shortcuts = script('shortcuts');
export const copyAddress = CONSOLE_PREFIX + copying.path;
export const fileFieldAddress = CONSOLE_PREFIX + fileField.path;
export const jobProgressAddress = CONSOLE_PREFIX + jobProgress.path;
export const selectionAddress = CONSOLE_PREFIX + selection.path;
export const passkeysAddress = CONSOLE_PREFIX + passkeys.path;
/** Of every page. */
export const shellAddress = CONSOLE_PREFIX + shell.path;
export const shortcutsAddress = CONSOLE_PREFIX + shortcuts.path;
export const dryRunAddress = CONSOLE_PREFIX + dryRun.path;
export const loginDialogAddress = CONSOLE_PREFIX + loginDialog.path;
export const stylesheetAddress = CONSOLE_PREFIX + styles.path;

export function assetRoutes(app: FastifyInstance): void {
  for (const { path, document } of [
    styles,
    passkeys,
    fileField,
    availability,
    contactPicker,
    copying,
    jobProgress,
    selection,
    dryRun,
    loginDialog,
    shell,
    shortcuts,
  ])
    app.get(path, { exposeHeadRoute: true }, async (request, reply) => sendForGood(request, reply, document));
}

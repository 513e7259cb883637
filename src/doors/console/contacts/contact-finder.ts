import { type ConsoleExport, consoleAddress, wholeFile } from '../console-page.ts';
import { filterText } from '../filter-text.ts';
import { findContactsByText } from './find-by-text.ts';

const PATH = '/contacts/find.json';
export const contactFinderAddress = consoleAddress(PATH);
const MAX_FOUND = 10;

/** What the forms of domains offer while a contact is looked for. */
export const contactFinder: ConsoleExport = {
  path: PATH,
  right: 'objects',
  download: async (parts, visit, { query }) => {
    const text = filterText(query('q'));
    const { rows } = text ? await findContactsByText(parts, visit, text, MAX_FOUND) : { rows: [] };
    const found = rows
      .slice(0, MAX_FOUND)
      .map(({ code, name, ident, email }) => ({ code, name, about: `${ident.ident} · ${email} · ${code}` }));
    return wholeFile('contacts.json', 'application/json', JSON.stringify(found));
  },
};

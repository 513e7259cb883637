import type { Guard } from './guard.ts';

/** Guards of what the public looks up. */
export const lookup: readonly Guard[] = [
  {
    guard: 'what the policy hides of a contact is left out of every look-up',
    without: 'anybody learns names, addresses and codes of persons',
    file: 'src/registry/lookup/disclosure.ts',
    text: '(isShown(field) && contact[field] != null',
    instead: '(contact[field] != null',
    test: 'test/registry/lookup/disclosure.test.ts',
    named: 'success: public, registrant, person',
  },
  {
    guard: 'what the policy hides of a contact is not loaded for a look-up',
    without: 'a mistake in the view shows it, and the time of an answer tells of it',
    file: 'src/registry/lookup/disclosed-columns.ts',
    text: 'const shown = (field: ContactField) => isShown(field, rules);',
    instead: "const shown = (_field: ContactField) => 'true';",
    test: 'test/registry/lookup/hidden-contacts.test.ts',
    named: 'success: it reads the same bytes, whatever is hidden',
  },
  {
    guard: 'look-ups by WHOIS are limited per address',
    without: 'one crawler copies the registry',
    file: 'src/doors/whois/answer-query.ts',
    text: 'if (!admission.isAdmitted) return',
    instead: 'if (admission === undefined) return',
    test: 'test/app/whois.test.ts',
    named: 'failure: more queries than the limit',
  },
  {
    guard: 'a value in an answer of WHOIS stays on its line',
    without: 'a registrant writes lines that look like the registry’s',
    file: 'src/doors/whois/whois-text.ts',
    text: '${oneLine(value)}',
    instead: '${value}',
    test: 'test/doors/whois/whois-text.test.ts',
    named: 'failure: values that would inject lines',
  },
  {
    guard: 'connections of WHOIS are limited per address',
    without: 'one address keeps all others out',
    file: 'src/doors/whois/whois-server.ts',
    text: 'options.maxConnectionsPerAddress ?? MAX_CONNECTIONS_PER_ADDRESS',
    instead: 'Number.POSITIVE_INFINITY',
    test: 'test/doors/whois/whois-server.test.ts',
    named: 'failure: thousands of idle ones of one address hold no more than its limit',
  },
  {
    guard: 'a client of WHOIS that hardly reads is cut off',
    without: 'slow readers hold connections for ever',
    file: 'src/doors/whois/whois-connection.ts',
    text: "} else if (stageMs > readMs) this.cut('slow-reader');",
    instead: '}',
    test: 'test/doors/whois/whois-server.test.ts',
    named: 'failure: an answer that never arrives, and one that is not read',
  },
];

import fc from 'fast-check';
import { dayAt } from '../calendar.ts';
import { codeOf, contactChoice, registrar } from '../choices.ts';
import { collect, GONE, LINKED, MANAGEMENT_POLICY, MISSING, type Outcome, TAKEN } from '../outcomes.ts';
import type { ContactData, Ident, RegistrarCode, RegistryModel } from '../state.ts';
import { type Plan, steps } from '../step.ts';

const PEOPLE = ['mari', 'jaan', 'acme', 'youth'] as const;
type Person = { readonly who: (typeof PEOPLE)[number]; readonly variant: number };
const IDENTS: Record<Exclude<Person['who'], 'youth'>, Ident> = {
  mari: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
  jaan: { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' },
  acme: { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' },
};
const DAYS_TO_COMING_OF_AGE = 20;

/** Few people with few variants, so that equal ones meet at a transfer. */
const person: fc.Arbitrary<Person> = fc.record({
  who: fc.constantFrom(...PEOPLE),
  variant: fc.nat({ max: 1 }),
});

/** A minor comes of age while the sequence runs. */
function identOf(model: RegistryModel, who: Person['who']): Ident {
  if (who !== 'youth') return IDENTS[who];
  const birthday = dayAt(model.now).subtract({ years: 18 }).add({ days: DAYS_TO_COMING_OF_AGE });
  // For a birth on 29 February the day of coming of age would be ambiguous.
  const ident = birthday.with({ day: Math.min(birthday.day, 28) }).toString();
  return { ident, ident_type: 'birthday', ident_country_code: 'US' };
}

export function describe(model: RegistryModel, { who, variant }: Person): ContactData {
  return {
    name: `${who} ${variant === 0 ? 'Esimene' : 'Teine'}`,
    // Different from those of other sequences: at a transfer equal contacts are merged.
    email: `${who}${variant}@${model.prefix}.example`,
    phone: '+372.5551234',
    ident: identOf(model, who),
  };
}

const slot = fc.option(fc.nat({ max: 5 }), { freq: 5, nil: undefined });
const GENERATED = /^[A-Z]+:[0-9a-f]{8}$/i;

/** Codes are chosen from few, so that registrars want the same. */
export const createContacts = steps(
  'create contact',
  fc.record({ who: registrar, slot, person }),
  (model, { who, slot, person }) =>
    planCreation(
      model,
      who,
      slot === undefined ? undefined : `${model.prefix}c${slot}`,
      describe(model, person),
    ),
);

export function planCreation(
  model: RegistryModel,
  who: RegistrarCode,
  id: string | undefined,
  data: ContactData,
): Plan {
  return {
    call: { who, method: 'POST', target: '/contacts', body: { contact: { ...(id && { id }), ...data } } },
    refusals: collect(id !== undefined && model.contacts.has(id) && TAKEN),
    effect({ reply }) {
      const { code } = reply.body.data.contact;
      if (id !== undefined ? code !== id : !GENERATED.test(code))
        throw new Error(`the contact got the code ${code}`);
      model.contacts.set(code, { code, sponsor: who, data });
    },
  };
}

/** For a registrar without such a contact it does not exist, or is gone if it had one. */
function addressing(model: RegistryModel, who: RegistrarCode, code: string): Outcome | undefined {
  if (model.contacts.get(code)?.sponsor === who) return undefined;
  return model.wasRemoved(who, 'contact', code) ? GONE : MISSING;
}

const changes = fc.record({ person, ident: fc.constantFrom('same', 'absent', 'other') });

export const updateContacts = steps(
  'update contact',
  fc.record({ who: registrar, contact: contactChoice, changes }),
  (model, { who, contact: choice, changes: { person, ident } }) => {
    const code = codeOf(model, who, choice);
    const contact = model.contacts.get(code);
    const { name, email } = describe(model, person);
    const stored = contact?.data.ident ?? IDENTS.mari;
    const sent =
      ident === 'other'
        ? { ...stored, ident: 'another', ident_country_code: 'FI', ident_type: 'org' }
        : stored;
    const body = { contact: { name, email, ...(ident !== 'absent' && { ident: sent }) } };
    const absent = addressing(model, who, code);
    return {
      call: { who, method: 'PUT', target: `/contacts/${encodeURIComponent(code)}`, body },
      refusals: absent ? [absent] : collect(ident === 'other' && MANAGEMENT_POLICY),
      data: { contact: { code } },
      effect() {
        if (contact) contact.data = { ...contact.data, name, email };
      },
    };
  },
);

export const deleteContacts = steps(
  'delete contact',
  fc.record({ who: registrar, contact: contactChoice }),
  (model, { who, contact: choice }) => {
    const code = codeOf(model, who, choice);
    const contact = model.contacts.get(code);
    const absent = addressing(model, who, code);
    return {
      call: { who, method: 'DELETE', target: `/contacts/${encodeURIComponent(code)}` },
      refusals: absent ? [absent] : collect(contact && model.isUsed(contact) && LINKED),
      data: {},
      effect: () => model.remove(who, 'contact', code),
    };
  },
);

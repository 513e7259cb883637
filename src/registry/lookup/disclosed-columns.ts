import { compactList, compactObject, type Fragment, sql, text } from '../../platform/sql/statement.ts';
import type { Audience, ContactField, Disclosure, DisclosureRules, DomainRole } from '../../policy/policy.ts';
import { POSTAL_ADDRESS } from '../contacts/postal-address.ts';

type LinkRole = Exclude<DomainRole, 'registrant'>;
/** A condition in SQL, of rows `c` of contacts and `l` of their links. */
type Condition = string;

const IS_ORGANISATION: Condition = `c.ident_type = 'org'`;
const IS_ADMIN: Condition = `l.role = 'admin'`;

const COLUMNS: Readonly<Record<ContactField, Fragment>> = {
  code: sql`c.code`,
  name: sql`c.name`,
  email: sql`c.email`,
  phone: sql`c.phone`,
  address: POSTAL_ADDRESS,
  ident: compactObject(sql`c.ident, c.ident_type as type`),
  country: sql`c.ident_country_code`,
};
const FIELDS = Object.keys(COLUMNS) as ContactField[];

/**
 * The registrant of a row `d` of domains, with only those fields that the audience is shown: what is hidden is not
 * read, so that an answer takes as long whatever it hides.
 */
export function registrantFor(audience: Audience, disclosure: Disclosure): Fragment {
  const rules = disclosure[audience].registrant;
  const shown = (field: ContactField) => isShown(field, rules);
  return sql`(select ${contactObject(sql`'registrant'`, shown)} from contacts c where c.id = d.registrant_id)`;
}

/**
 * Its admin and tech contacts likewise. Those that can be hidden whole, as persons without a preference are from the
 * public, do not leave the database.
 */
export function linkedContactsFor(audience: Audience, disclosure: Disclosure): Fragment {
  const rules = disclosure[audience];
  const shown = (field: ContactField) =>
    either(IS_ADMIN, isShown(field, rules.admin), isShown(field, rules.tech));
  const role = sql`l.role`;
  return sql`(select coalesce(${compactList(contactObject(role, shown), sql`l.role, c.id`)}, '[]')
    from domain_contacts l join contacts c on c.id = l.contact_id
    where l.domain_id = d.id and ${text(either(IS_ADMIN, showsSomething(rules.admin), showsSomething(rules.tech)))})`;
}

const showsSomething = ({ person }: Disclosure[Audience][LinkRole]): Condition =>
  FIELDS.some((field) => person[field] === 'shown')
    ? 'true'
    : `(${IS_ORGANISATION} or cardinality(c.disclosed_attributes) > 0)`;

const isShown = (
  field: ContactField,
  { person, organisation }: Disclosure[Audience][DomainRole],
): Condition => either(IS_ORGANISATION, isShownTo(field, organisation), isShownTo(field, person));

const isShownTo = (field: ContactField, rules: DisclosureRules): Condition =>
  rules[field] === 'preference'
    ? `'${field}' = any(c.disclosed_attributes)`
    : String(rules[field] === 'shown');

const either = (test: Condition, one: Condition, other: Condition): Condition =>
  one === other ? one : `case when ${test} then ${one} else ${other} end`;

function contactObject(role: Fragment, condition: (field: ContactField) => Condition): Fragment {
  const members = FIELDS.map((field) => ({ field, when: condition(field) }))
    .filter(({ when }) => when !== 'false')
    .map(({ field, when }) => {
      const value =
        when === 'true' ? COLUMNS[field] : sql`case when ${text(when)} then ${COLUMNS[field]} end`;
      return sql`, ${value} as ${text(field)}`;
    });
  return compactObject(sql`${role} as role, case c.ident_type when 'org' then 'organisation' else 'person' end as kind,
    c.disclosed_attributes as "disclosedAttributes"${members.reduce((all, member) => sql`${all}${member}`, sql``)}`);
}

import type { ContactInHistory } from '../../../registry/contacts/contact.ts';
import type { DomainInHistory, ForceDelete } from '../../../registry/domains/domain.ts';
import type { Language } from '../../html/layout.ts';

/** What history stores of domains and contacts. */
export type HistoryField = keyof DomainInHistory | keyof ContactInHistory;
/** Marks of the registry's own, which say nothing to a registrar. */
export type InternalField = 'hold_causes';
type ForceDeleteField = Extract<keyof ForceDelete, 'kind' | 'reason' | 'start' | 'date'>;

export type FieldTexts = {
  readonly names: Readonly<Record<Exclude<HistoryField, InternalField | 'force_delete'>, string>>;
  readonly forceDelete: Readonly<Record<ForceDeleteField, string>>;
  readonly kinds: Readonly<Record<ForceDelete['kind'], string>>;
  readonly added: string;
  readonly removed: string;
  readonly noValue: string;
  readonly masked: string;
};

const english: FieldTexts = {
  names: {
    name: 'Name',
    registrant: 'Registrant',
    expire_time: 'Expires',
    outzone_at: 'Leaves the zone',
    delete_date: 'Will be deleted',
    statuses: 'Status',
    admin_contacts: 'Administrative contacts',
    tech_contacts: 'Technical contacts',
    nameservers: 'Nameservers',
    dnssec_keys: 'DNSSEC keys',
    code: 'Code',
    email: 'Email address',
    phone: 'Phone',
    ident: 'Identification',
    address: 'Postal address',
    disclosed_attributes: 'The public may see',
    copy_of: 'Copy of',
  },
  forceDelete: {
    kind: 'Forced deletion',
    reason: 'Reason of the forced deletion',
    start: 'Forced deletion from',
    date: 'Will be deleted by force',
  },
  kinds: { soft: 'at the end of the registration year', 'fast track': 'fast' },
  added: 'added',
  removed: 'removed',
  noValue: 'none',
  masked: 'hidden',
};

const estonian: FieldTexts = {
  names: {
    name: 'Nimi',
    registrant: 'Registreerija',
    expire_time: 'Aegub',
    outzone_at: 'Eemaldatakse tsoonist',
    delete_date: 'Kustutatakse',
    statuses: 'Olek',
    admin_contacts: 'Halduskontaktid',
    tech_contacts: 'Tehnilised kontaktid',
    nameservers: 'Nimeserverid',
    dnssec_keys: 'DNSSEC-võtmed',
    code: 'Kood',
    email: 'E-posti aadress',
    phone: 'Telefon',
    ident: 'Isiku- või registrikood',
    address: 'Postiaadress',
    disclosed_attributes: 'Avalikkus võib näha',
    copy_of: 'Koopia kontaktist',
  },
  forceDelete: {
    kind: 'Sundkustutamine',
    reason: 'Sundkustutamise põhjus',
    start: 'Sundkustutamine alates',
    date: 'Kustutatakse sundkorras',
  },
  kinds: { soft: 'registreerimisaasta lõpus', 'fast track': 'kiirkorras' },
  added: 'lisatud',
  removed: 'eemaldatud',
  noValue: 'puudub',
  masked: 'peidetud',
};

const TEXTS: Readonly<Record<Language, FieldTexts>> = { en: english, et: estonian };
export const fieldTexts = (lang: Language): FieldTexts => TEXTS[lang];

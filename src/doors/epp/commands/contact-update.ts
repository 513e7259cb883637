import { dayIn } from '../../../platform/values/dates.ts';
import { parseContactChange } from '../../../registry/contacts/contact-fields.ts';
import { isAddressDiscarded } from '../../../registry/contacts/postal-address.ts';
import { updateContact } from '../../../registry/contacts/update-contact.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import type { CommandReader } from '../command-reader.ts';
import { readEisData } from '../extensions/eis.ts';
import { refuse } from '../frame-refusals.ts';
import type { XmlElement } from '../xml/element.ts';
import { isShownCode, type ObjectHandler } from './object-handler.ts';
import { changeContext } from './change-context.ts';
import { readContactFields } from './read-contact-fields.ts';
import { meantCode } from './meant-contacts.ts';

export const updateContactByEpp: ObjectHandler = {
  extensions: ['eis:extdata'],
  async handle(call) {
    const { element, reader, extension, database, policy, dialect } = call;
    const read = reader.children(element, {
      ...({ id: 'one', add: 'maybe', rem: 'maybe', chg: 'maybe' } as const),
    });
    const given = reader.text(read.id, ['code']);
    const change = read.chg
      ? reader.children(read.chg, {
          ...({ postalInfo: 'list', voice: 'maybe', fax: 'maybe', email: 'maybe' } as const),
          ...({ authInfo: 'maybe', disclose: 'maybe' } as const),
        })
      : NO_CHANGE;
    const eis = readEisData(extension('eis:extdata'), reader, policy);
    const text = readContactFields(change, eis, reader);
    const [addStatuses, removeStatuses] = [
      readStatuses(read.add, 'addStatuses', reader),
      readStatuses(read.rem, 'removeStatuses', reader),
    ];
    const today = dayIn(policy.timeZone, call.context.now);
    const changed = reader.require(parseContactChange(text, policy, today));
    const code = await meantCode(call, given);
    if (!isShownCode(code, call)) refuse('objectMissing');
    if (Object.keys(text).length + addStatuses.length + removeStatuses.length === 0) refuse('emptyUpdate');
    await runRegistryOperation(
      database,
      updateContact,
      { code, fields: changed, addStatuses, removeStatuses },
      changeContext(call, eis),
    );
    return { code: isAddressDiscarded(text, policy) && dialect === 'ee' ? 1100 : 1000 };
  },
};

const NO_CHANGE = {
  postalInfo: [],
  voice: undefined,
  fax: undefined,
  email: undefined,
  authInfo: undefined,
  disclose: undefined,
};

function readStatuses(
  element: XmlElement | undefined,
  list: 'addStatuses' | 'removeStatuses',
  reader: CommandReader,
): string[] {
  if (!element) return [];
  const { status } = reader.children(element, { status: 'list' });
  return status.map((each, index) => {
    reader.from([list, index], each);
    reader.leaf(each);
    return each.attributes.s?.trim() ?? '';
  });
}

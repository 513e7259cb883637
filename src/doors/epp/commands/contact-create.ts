import { answerOf } from '../../../operations/run-operation.ts';
import { dayIn } from '../../../platform/values/dates.ts';
import { parseNewContact } from '../../../registry/contacts/contact-fields.ts';
import { createContact } from '../../../registry/contacts/create-contact.ts';
import { isAddressDiscarded } from '../../../registry/contacts/postal-address.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { readEisData } from '../extensions/eis.ts';
import { xml } from '../xml/write.ts';
import { codeLengthOf, isShownCode, type ObjectHandler, shownTime } from './object-handler.ts';
import { changeContext } from './change-context.ts';
import { readContactFields } from './read-contact-fields.ts';

export const createContactByEpp: ObjectHandler = {
  extensions: ['eis:extdata'],
  async handle(call) {
    const { element, reader, extension, database, policy, dialect, namespace } = call;
    const read = reader.children(element, {
      ...({ id: 'maybe', postalInfo: 'list', voice: 'maybe', fax: 'maybe', email: 'maybe' } as const),
      ...({ authInfo: 'maybe', disclose: 'maybe' } as const),
    });
    const id = reader.optionalText(read.id, ['code']);
    if (id === undefined && dialect !== 'ee')
      reader.refuse('elementMissing', { ...element, name: 'id', children: [], text: '' });
    if (read.id && id !== undefined && !isShownCode(id, call)) reader.wrong(read.id, codeLengthOf(call));
    const eis = readEisData(extension('eis:extdata'), reader, policy);
    const fields = readContactFields(read, eis, reader);
    const today = dayIn(policy.timeZone, call.context.now);
    const input = reader.require(
      parseNewContact({ ...fields, ...(id !== undefined && { code: id }) }, policy, today),
    );
    const context = changeContext(call, eis);
    const { code } = answerOf(await runRegistryOperation(database, createContact, input, context));
    return {
      code: isAddressDiscarded(fields, policy) && dialect === 'ee' ? 1100 : 1000,
      data: xml`<contact:creData xmlns:contact="${namespace}"><contact:id>${code}</contact:id><contact:crDate>${shownTime(context.now, call)}</contact:crDate></contact:creData>`,
    };
  },
};

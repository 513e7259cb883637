import { registryRefusals } from '../registry-refusals.ts';
import type { ContactPath } from './contact-paths.ts';

const maker = registryRefusals<ContactPath>();
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;

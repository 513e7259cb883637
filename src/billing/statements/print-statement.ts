import type { Seller } from '../../policy/policy.ts';
import { drawInTurn } from '../draw-in-turn.ts';
import type { MonthlyStatement } from './find-statements.ts';

/** The statement on A4. The same statement always gives the same bytes. */
export async function printStatement(statement: MonthlyStatement, seller: Seller): Promise<Buffer> {
  // Imported lazily: pdfkit and its fonts would slow down the start of every command that prints nothing.
  const { drawStatement } = await import('./draw-statement.ts');
  return drawInTurn(statement.registrar, () => drawStatement(statement, seller));
}

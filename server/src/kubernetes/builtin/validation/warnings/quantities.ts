import { quantityText } from '../../../../gostd/quantity.ts';
import { quote } from '../../../../gostd/quote.ts';
import { key as keyed } from '../../../field.ts';
import type { Fields } from '../check.ts';
import { wholeValue } from '../goTexts.ts';
import { type Quantities, quantitiesOf } from '../resources.ts';

/** Bytes that are not whole, in a list of resources. `implied` are those that the server fills in. */
export function warnOfFractions(
  holder: Fields,
  list: string,
  names: readonly string[],
  implied: Quantities = new Map(),
): void {
  const written = quantitiesOf(holder, list);
  for (const name of names) {
    const quantity = written.get(name) ?? implied.get(name);
    if (!quantity || wholeValue({ ...quantity, scale: quantity.scale + 3 }) % 1000n === 0n) continue;
    const spot = keyed(holder.at(list), name);
    const detail = `fractional byte value ${quote(quantityText(quantity))} is invalid, must be an integer`;
    holder.check.warn(written.has(name) ? spot : { ...spot, steps: [] }, detail);
  }
}

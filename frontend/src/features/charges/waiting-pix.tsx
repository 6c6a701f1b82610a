import { LinkChip } from '../../ui/chip.js';
import { useCharges } from './charges.queries.js';
import { useUndecidedPix } from './receivables.queries.js';

/** Pix that count nowhere before they are decided, and payments that are to be given back; renders nothing if there are none. */
export default function WaitingPix() {
  const undecided = useUndecidedPix().data?.pages[0];
  const toReturn = useCharges({ situacao: 'a_devolver', limit: 20 }).data?.pages[0];
  return (
    <>
      {undecided && undecided.items.length > 0 && (
        <LinkChip to="/cobrancas" figure={figureOf(undecided)}>
          Pix a decidir
        </LinkChip>
      )}
      {toReturn && toReturn.items.length > 0 && (
        <LinkChip to="/cobrancas?situacao=a_devolver" figure={figureOf(toReturn)}>
          a devolver
        </LinkChip>
      )}
    </>
  );
}

const figureOf = ({ items, next }: { items: unknown[]; next: string | null }) =>
  `${items.length}${next ? '+' : ''}`;

import { LinkChip } from '../../ui/chip.js';
import { useUndecidedPix } from './receivables.queries.js';

/** Pix that count nowhere before they are decided; renders nothing if there are none. */
export default function WaitingPix() {
  const page = useUndecidedPix().data?.pages[0];
  if (!page || page.items.length === 0) return null;
  return (
    <LinkChip to="/cobrancas" figure={`${page.items.length}${page.next ? '+' : ''}`}>
      Pix a decidir
    </LinkChip>
  );
}

import type { Charge } from '../../../../backend/modules/charges/charges.api.js';
import { Tag } from '../../ui/tag.js';

/** A charge's status as a word. */
export function ChargeTag({ situacao, avisada_em }: Pick<Charge, 'situacao' | 'avisada_em'>) {
  if (situacao === 'paga')
    return (
      <Tag tone="good" icon="check">
        Paga
      </Tag>
    );
  if (situacao === 'cancelada')
    return (
      <Tag icon="close" outlined>
        Cancelada
      </Tag>
    );
  if (avisada_em)
    return (
      <Tag tone="accent" icon="chat">
        Avisou que pagou
      </Tag>
    );
  return situacao === 'vencida' ? (
    <Tag tone="bad" icon="alert">
      Vencida
    </Tag>
  ) : (
    <Tag tone="accent" icon="clock" outlined>
      Em aberto
    </Tag>
  );
}

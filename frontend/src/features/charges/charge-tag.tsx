import type { Charge } from '../../../../backend/modules/charges/charges.api.js';
import { formatMoney } from '../../lib/money.js';
import { Tag } from '../../ui/tag.js';

type ChargeTagProps = Pick<Charge, 'situacao' | 'avisada_em' | 'devolver'> & {
  /** The student has not been sent it yet. */
  toSend?: boolean;
  /** The state with its day, instead of the word alone: "Venceu ontem". */
  dated?: string;
};

/** A charge's status in words. */
export function ChargeTag({ situacao, avisada_em, devolver, toSend = false, dated }: ChargeTagProps) {
  if (devolver > 0)
    return (
      <Tag tone="warn" icon="undo">
        {formatMoney(devolver)} a devolver
      </Tag>
    );
  if (situacao === 'paga')
    return (
      <Tag tone="good" icon="check">
        {dated ?? 'Paga'}
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
  if (toSend)
    return (
      <Tag tone="warn" icon="chat" outlined>
        A enviar
      </Tag>
    );
  return situacao === 'vencida' ? (
    <Tag tone="bad" icon="alert">
      {dated ?? 'Vencida'}
    </Tag>
  ) : (
    <Tag tone="accent" icon="clock" outlined>
      {dated ?? 'Em aberto'}
    </Tag>
  );
}

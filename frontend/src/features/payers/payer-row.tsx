import type { Payer } from '../../../../backend/modules/payers/payers.api.js';
import { Initials } from '../../ui/initials.js';
import { Row } from '../../ui/row.js';

/** A payer with the students whom they pay for. */
export function PayerRow({
  payer,
  ...action
}: { payer: Payer } & ({ to: string } | { onClick: () => void })) {
  const names = payer.alunos.map(({ nome }) => nome);
  return (
    <Row
      {...action}
      lead={<Initials id={payer.id} name={payer.nome} />}
      title={payer.nome}
      facts={names.length > 0 ? `Paga por ${namesIn(names)}` : 'Ainda não paga por ninguém'}
    />
  );
}

/** `Ana e Bia` */
const namesIn = (names: readonly string[]) => new Intl.ListFormat('pt-BR').format(names);

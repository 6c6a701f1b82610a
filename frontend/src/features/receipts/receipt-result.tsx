import { formatDate } from '../../lib/dates.js';
import { ProblemError } from '../../lib/problem.js';
import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { ErrorState } from '../../ui/states.js';
import { useReceiptVerification } from './receipts.queries.js';

/** Shows a receipt by its code, so that anybody can verify a printed copy. */
export function ReceiptResult({ code }: { code: string }) {
  const { data, error, refetch } = useReceiptVerification(code);
  if (error instanceof ProblemError && error.status === 404) {
    return (
      <Notice icon="search" title="Código desconhecido">
        Confira o código. Nenhum recibo tem este código.
      </Notice>
    );
  }
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const isValid = data.resultado === 'valido';
  return (
    <Card>
      <Notice icon={isValid ? 'check' : 'alert'} title={isValid ? 'Recibo válido' : 'Recibo cancelado'}>
        {isValid
          ? 'O código confere com um recibo emitido. Compare o valor e a data com a sua cópia.'
          : 'O pagamento deste recibo foi estornado: ele não tem mais validade.'}
      </Notice>
      <Facts
        of={[
          ['Número', String(data.numero)],
          ['Valor', <Money key="valor" cents={data.valor} />],
          ['Data do pagamento', formatDate(data.data)],
          ['Quem pagou', data.iniciais],
        ]}
      />
    </Card>
  );
}

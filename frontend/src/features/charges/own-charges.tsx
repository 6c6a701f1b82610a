import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { OwnCharge, OwnCharges as Answer } from '../../../../backend/modules/charges/charges.api.js';
import { whenReachable } from '../../lib/chunks.js';
import { useCommand } from '../../lib/command.js';
import { formatDay } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Loading } from '../../ui/loading.js';
import { Money } from '../../ui/money.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Sheet } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt } from '../../ui/toast.js';
import classes from './charges.module.css';
import { copyPixCode } from './copy-pix-code.js';

const QrCode = lazy(() => whenReachable(() => import('../../ui/qr-code.js')));
const OWN_CHARGES = reads('own-charges', ['charges']);

const useOwnCharges = () =>
  useQuery({
    queryKey: [OWN_CHARGES],
    queryFn: ({ signal }) => http.get<Answer>('/student/charges', undefined, signal),
  });

/** What the student who is signed in has to pay, and how. */
export function OwnCharges() {
  const today = useToday();
  const charges = useOwnCharges();
  const [chosen, choose] = useState<string | null>(null);
  const shown = charges.data?.items.find(({ id }) => id === chosen);
  return (
    <Section title="A pagar">
      <Async of={charges} skeleton={<Skeletons count={1} />}>
        {({ items }) => (
          <Card flush>
            {items.length === 0 && <Row title="Tudo em dia" facts="Nenhuma cobrança em aberto" />}
            {items.map(({ id, descricao, falta, vencimento, situacao, avisada }) => (
              <Row
                key={id}
                onClick={() => choose(id)}
                title={descricao}
                facts={`${situacao === 'vencida' ? 'venceu' : 'vence'} ${formatDay(vencimento, today)}${avisada ? ' · pagamento avisado' : ''}`}
                trail={<Money cents={falta} className={classes.amount} />}
              />
            ))}
          </Card>
        )}
      </Async>
      <Sheet opened={shown !== undefined} onClose={() => choose(null)} title="Pagar" withoutAddress>
        {shown && <Payment charge={shown} />}
      </Sheet>
    </Section>
  );
}

function Payment({ charge: { id, descricao, falta, pix, avisada } }: { charge: OwnCharge }) {
  const claim = useCommand({
    send: (_said: 'paid', key) => http.post<{ ok: true }>(`/student/charges/${id}/claim`, key),
    topics: [OWN_CHARGES],
  });
  return (
    <div className={classes.pay}>
      <p className={classes.due}>
        <Money cents={falta} />
      </p>
      <p className={classes.quiet}>{descricao}</p>
      {pix ? (
        <>
          <Button onClick={() => void copyPixCode(pix)} leftSection={<Icon name="copy" size={18} />}>
            Copiar código Pix
          </Button>
          <p className={`${classes.link} ${classes.code}`}>{pix}</p>
          <Suspense fallback={<Loading />}>
            <QrCode text={pix} label="Pix" />
          </Suspense>
        </>
      ) : (
        <p className={classes.quiet}>Combine a forma de pagamento com seu personal.</p>
      )}
      {avisada || claim.isSuccess ? (
        <p role="status">
          <Icon name="check" size={18} /> Seu personal foi avisado e confirma assim que o pagamento aparecer.
        </p>
      ) : (
        <Button
          variant="default"
          loading={claim.isPending}
          onClick={() => void attempt(() => claim.mutateAsync('paid'), 'Não foi possível avisar')}
        >
          Já paguei
        </Button>
      )}
    </div>
  );
}

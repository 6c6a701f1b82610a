import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ownPath } from '../../lib/area-link.js';
import { type Moment, momentOf, parseDate } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { saveFile } from '../../lib/save-file.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Why } from '../../parts/why.js';
import { DateField } from '../../ui/date-field.js';
import { Icon } from '../../ui/icon.js';
import { Page } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt } from '../../ui/toast.js';
import { Balance } from './balance.js';
import classes from './credits.module.css';
import { PastBalance } from './past-balance.js';
import { OWN, useOwnBalance } from './own-balance.queries.js';
import { Statement } from './statement.js';

const download = (kind: 'csv' | 'pdf', at: string | undefined) =>
  attempt(
    async () => saveFile(await http.file(`/student/credits/${kind}`, { at }), `extrato-de-creditos.${kind}`),
    'Erro ao baixar o arquivo',
  );

interface OwnStatementPageProps {
  /** What else was known at the end of a past day, from other features. */
  past: (moment: Moment) => ReactNode;
}

/** The student's own statement, now or at the end of a past day. */
export function OwnStatementPage({ past }: OwnStatementPageProps) {
  const [zone, today] = [useZone(), useToday()];
  const [typed, setTyped] = useState('');
  const day = parseDate(typed);
  const moment = day !== null && day < today ? momentOf(day, zone) : null;
  return (
    <Page title="Extrato de créditos" back={ownPath('')} width="narrow">
      {moment ? <PastBalance studentId={OWN} moment={moment} /> : <BalanceNow />}
      <DateField
        label="Como estava no fim do dia"
        placeholder="Hoje"
        value={typed}
        onChange={setTyped}
        max={today}
        {...(typed.length >= 10 && day === null && { error: 'Informe o dia como 25/12/2026' })}
        {...(day !== null && day > today && { error: 'Escolha um dia que já passou' })}
      />
      {moment && <Button onClick={() => setTyped('')}>Voltar para hoje</Button>}
      <div className={classes.files}>
        {(['pdf', 'csv'] as const).map((kind) => (
          <Button
            key={kind}
            variant="default"
            leftSection={<Icon name="drop" size={18} />}
            onClick={() => void download(kind, moment?.at)}
          >
            Baixar {kind.toUpperCase()}
          </Button>
        ))}
      </div>
      <Statement studentId={OWN} moment={moment ?? undefined} />
      {moment && past(moment)}
    </Page>
  );
}

function BalanceNow() {
  return (
    <Async of={useOwnBalance()} skeleton={<Skeletons count={1} height={110} />}>
      {(account) => (
        <>
          <Balance account={account} />
          {account.pausado_ate && <Why of="pause:own" isOwn label="Por que a pausa?" />}
        </>
      )}
    </Async>
  );
}

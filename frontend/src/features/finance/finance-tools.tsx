import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { MonthSummary } from '../../../../backend/modules/finance/finance.api.js';
import type { WebFile } from '../../../../backend/modules/receipts/receipts.api.js';
import { formatMonth, type Moment, type Month, monthOf } from '../../lib/dates.js';
import { inPast } from '../../lib/moment.js';
import { http } from '../../lib/http.js';
import { saveFile } from '../../lib/save-file.js';
import { useToday } from '../../lib/zone.js';
import { ASK_PAST } from '../../ui/ask-past.js';
import { AsItWas } from '../../ui/past.js';
import { Icon } from '../../ui/icon.js';
import { IconAction, IconGrid } from '../../ui/icon-actions.js';
import { Quiet } from '../../ui/quiet.js';
import { Sheet } from '../../ui/sheet.js';
import { attempt } from '../../ui/toast.js';
import { DeliverySheet, useDelivery } from './delivery.js';
import { saveSheet } from './entry-filters.js';
import classes from './finance.module.css';

interface FinanceToolsProps {
  month: Month;
  moment: Moment | null;
  summary: MonthSummary | undefined;
  isYearShown: boolean;
  /** Shows or hides the year. */
  onYear: () => void;
  /** The action that opens the advisor. */
  advisor: ReactNode;
  /** Asks for a past moment. */
  onPast: () => void;
}

/** Other pages of the finances, the year and the month's files. */
export function FinanceTools({
  month,
  moment,
  summary,
  isYearShown,
  onYear,
  advisor,
  onPast,
}: FinanceToolsProps) {
  const [isOpen, setOpen] = useState(false);
  const [isDelivery, setDelivery] = useState(false);
  const { deliver } = useDelivery(month);
  const today = useToday();
  const { entrega, receitas } = summary ?? {};
  const at = moment?.at;
  const files = (
    <IconAction icon="drop" onClick={() => setOpen(true)}>
      Arquivos
    </IconAction>
  );
  return (
    <>
      <nav aria-label="Ferramentas do financeiro">
        <IconGrid
          rest={
            moment ? (
              files
            ) : (
              <>
                <IconAction icon="wallet" to="/financeiro/extrato">
                  Extrato
                </IconAction>
                <IconAction icon="renew" to="/financeiro/recorrentes">
                  Recorrentes
                </IconAction>
                <IconAction icon="grow" to="/financeiro/e-se">
                  E se…
                </IconAction>
                {files}
                <IconAction icon="clock" onClick={onPast}>
                  {ASK_PAST}
                </IconAction>
                {entrega ? (
                  <IconAction icon="check" onClick={() => setDelivery(true)}>
                    Entrega
                  </IconAction>
                ) : (
                  month <= monthOf(today) && (
                    <IconAction icon="check" onClick={() => void deliver()}>
                      Marcar entregue
                    </IconAction>
                  )
                )}
              </>
            )
          }
        >
          <IconAction icon="coins" to={inPast('/cobrancas', moment)}>
            Cobranças
          </IconAction>
          {!moment && advisor}
          <IconAction icon="calendar" expanded={isYearShown} onClick={onYear}>
            Ano
          </IconAction>
        </IconGrid>
      </nav>
      {entrega && (
        <DeliverySheet
          month={month}
          entrega={entrega}
          opened={isDelivery}
          onClose={() => setDelivery(false)}
        />
      )}
      <Sheet
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`Arquivos de ${formatMonth(month)}`}
        withoutAddress
      >
        <div className={classes.files}>
          {moment && <AsItWas moment={moment} />}
          <Download onClick={() => void saveReport(month, at)}>Mês para o contador (PDF)</Download>
          <Download onClick={() => void saveSheet(month, {}, at)}>Lançamentos do mês (CSV)</Download>
          <Download onClick={() => void saveCarneLeao(month, at)}>Carnê-Leão do mês (CSV)</Download>
          <Download onClick={() => void saveForWeb(month, 'rendimentos', at, receitas)}>
            Receitas para o Carnê-Leão Web
          </Download>
          <Download onClick={() => void saveForWeb(month, 'pagamentos', at)}>
            Despesas para o Carnê-Leão Web
          </Download>
          <Quiet>
            No Carnê-Leão Web da Receita, importe os dois últimos em Escrituração. O CPF ou CNPJ é o do
            recibo. Das despesas vão as de aluguel e academia; outras dedutíveis, como cursos, inclua lá.
          </Quiet>
        </div>
      </Sheet>
    </>
  );
}

const Download = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <Button variant="default" fullWidth onClick={onClick} leftSection={<Icon name="drop" size={18} />}>
    {children}
  </Button>
);

/** Saves the month's receitas for the accountant. */
const saveCarneLeao = (month: Month, at: string | undefined) =>
  attempt(
    async () =>
      saveFile(await http.file(`/finance/months/${month}/carne-leao`, { at }), `carne-leao-${month}.csv`),
    'Erro ao baixar o arquivo',
  );

/** Saves the month as the Carnê-Leão Web imports it, in files of 1,000 lines. */
const saveForWeb = (month: Month, file: WebFile, at: string | undefined, lines = 0) =>
  attempt(async () => {
    for (let parte = 1; parte === 1 || (parte - 1) * 1000 < lines; parte += 1) {
      const content = await http.file(`/finance/months/${month}/carne-leao-web/${file}`, { parte, at });
      saveFile(content, `carne-leao-web-${file}-${month}-${parte}.csv`);
    }
  }, 'Erro ao baixar o arquivo');

const saveReport = (month: Month, at: string | undefined) =>
  attempt(
    async () =>
      saveFile(await http.file(`/finance/months/${month}/report`, { at }), `financeiro-${month}.pdf`),
    'Erro ao baixar o arquivo',
  );

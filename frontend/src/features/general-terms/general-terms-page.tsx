import { Button } from '@mantine/core';
import {
  type ShownTerms,
  TERMS_VERSION,
} from '../../../../backend/modules/general-terms/general-terms.api.js';
import { useAnswer } from '../../lib/answer.js';
import { useSend } from '../../lib/command.js';
import { dayOf, formatDate } from '../../lib/dates.js';
import { reads } from '../../lib/topics.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Page, Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './general-terms.module.css';
import { LAST_UPDATE, TermsText } from './terms-text.js';

const ACCEPTANCE = reads('general-terms', []);

/** Rende's general terms, with the trainer's agreement. */
export default function GeneralTermsPage() {
  const acceptance = useAnswer([ACCEPTANCE], 'GET /general-terms');
  return (
    <Page
      title="Políticas e Termos Gerais"
      subtitle={`Última atualização: ${LAST_UPDATE}`}
      back="/ajustes"
      width="narrow"
    >
      <TermsText />
      <Section title="Sua concordância">
        <Async of={acceptance} skeleton={<Skeletons count={1} height={84} />}>
          {({ aceite }) => <Acceptance given={aceite} />}
        </Async>
      </Section>
    </Page>
  );
}

function Acceptance({ given }: { given: ShownTerms['aceite'] }) {
  const zone = useZone();
  const day = given && formatDate(dayOf(given.em, zone));
  const { mutateAsync, isPending } = useSend('POST /general-terms/acceptance');
  const accept = () =>
    attempt(async () => {
      await mutateAsync({ versao: TERMS_VERSION });
      toast.success('Concordância registrada');
    }, 'Erro ao registrar a concordância');
  if (given?.versao === TERMS_VERSION)
    return (
      <Card className={classes.given}>
        <Icon name="check" />
        <span>Você concordou em {day}.</span>
      </Card>
    );
  return (
    <Card className={classes.text}>
      <p>
        {given
          ? `Os termos mudaram depois da sua concordância de ${day}.`
          : 'Leia os termos e registre que você concorda com eles.'}
      </p>
      <Button loading={isPending} onClick={() => void accept()}>
        Concordo com os termos
      </Button>
    </Card>
  );
}

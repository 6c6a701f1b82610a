import { Button, Loader, Switch } from '@mantine/core';
import '@mantine/core/styles/Loader.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import {
  type CheckResult,
  type Integrity,
  type IntegrityCheck,
  type Outcome,
  proofFileOf,
} from '../../../../backend/modules/seals/seals.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useSend, useCommand } from '../../lib/command.js';
import { formatDate, formatMoment } from '../../lib/dates.js';
import { saveFile } from '../../lib/save-file.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { Page, Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt } from '../../ui/toast.js';
import classes from './integrity.module.css';
import { useQuery } from '@tanstack/react-query';
import { read, write } from '../../lib/calls.js';
import { reads } from '../../lib/topics.js';

const INTEGRITY = reads('integrity', []);
/** Interval of looks at a check that runs. */
const ASK_MS = 1_500;

function useIntegrity() {
  return useQuery({
    queryKey: [INTEGRITY],
    queryFn: ({ signal }) => read('GET /integrity', { signal }),
    refetchInterval: ({ state }) =>
      state.data?.verificacoes.some(({ concluida_em }) => concluida_em === null) ? ASK_MS : false,
  });
}

const useNewCheck = () =>
  useCommand({
    send: (_input: undefined, key) => write('POST /integrity/checks', key, {}),
    topics: [INTEGRITY],
  });

const copies: Readonly<Record<NonNullable<CheckResult['copia_externa']>, string>> = {
  conferida: ' A segunda cópia dos lacres, fora do servidor, também foi conferida.',
  sem_resposta: ' A segunda cópia dos lacres, fora do servidor, não respondeu e não foi conferida.',
};

const outcomes: Readonly<Record<Outcome, { title: string; icon: IconName }>> = {
  integro: { title: 'Histórico íntegro', icon: 'shield' },
  restaurado: { title: 'Banco restaurado de um backup', icon: 'history' },
  faltam_lacres: { title: 'Faltam lacres', icon: 'alert' },
  alterado: { title: 'Alteração encontrada', icon: 'alert' },
};

/** "Verificar integridade": whether the own log is still what it was, and what that proves. */
export default function IntegrityPage() {
  return (
    <Page title="Verificar integridade" back="/ajustes" width="narrow">
      <Async of={useIntegrity()} skeleton={<Skeletons count={3} height={120} />}>
        {(integrity) => <Checks {...integrity} />}
      </Async>
      <Section title="O que isto prova">
        <Card className={classes.card}>
          <p>
            Cada registro do seu histórico (aulas, créditos, pagamentos, contratos) leva o código do registro
            anterior. De madrugada, um lacre assinado guarda fora do banco de dados até onde o histórico ia.
          </p>
          <p>
            <b>Prova</b> que nenhum registro lacrado foi mudado, removido ou apagado do fim do histórico desde
            então, nem por quem tem acesso ao banco de dados.
          </p>
          <p>
            <b>Não prova</b> que o que foi registrado é verdade, nem cobre o que veio depois do último lacre.
            Quem tem o servidor, a chave e os lacres poderia refazer tudo junto: por isso, guarde o
            comprovante fora do Rende. Com ele, isso também seria descoberto.
          </p>
        </Card>
      </Section>
    </Page>
  );
}

function Checks({ lacre, por_email, verificacoes }: Integrity) {
  const zone = useZone();
  const { mutateAsync, isPending } = useNewCheck();
  const setMail = useSend('PUT /integrity/mail');
  const running = verificacoes.find(({ concluida_em }) => concluida_em === null);
  const [last, ...earlier] = verificacoes.filter(({ concluida_em }) => concluida_em !== null);
  const proof = last?.resultado?.comprovante;
  // What is sealed of this log, only a check says.
  const isUnsealed = last ? last.resultado?.situacao === 'integro' && !proof : !lacre;
  return (
    <>
      <Card className={classes.card}>
        {last ? <Last check={last} /> : <p>Seu histórico ainda não foi verificado.</p>}
        <Quiet size="sm">
          {lacre && `Último lacre: ${formatDate(lacre.dia)}, feito ${formatMoment(lacre.feito_em, zone)}. `}
          {isUnsealed && 'O primeiro lacre do seu histórico é feito de madrugada.'}
        </Quiet>
        {running ? (
          <p className={classes.state} role="status">
            <Loader size={18} />
            Verificando…
          </p>
        ) : (
          <div className={classes.buttons}>
            <Button
              loading={isPending}
              onClick={() => void attempt(() => mutateAsync(undefined), 'Erro ao pedir a verificação')}
            >
              Verificar agora
            </Button>
            {proof && (
              <Button variant="default" onClick={() => saveProof(proof)}>
                Baixar comprovante
              </Button>
            )}
          </div>
        )}
      </Card>
      <Section title="Lacre por e-mail">
        <Card className={classes.card}>
          <Switch
            label="Receber o lacre por e-mail"
            description="No dia 1º de cada mês, conferimos seu histórico e mandamos o resultado com o comprovante para o e-mail confirmado da sua conta. Guardado fora do Rende, ele vale como prova."
            checked={por_email}
            disabled={setMail.isPending}
            onChange={(event) => {
              const ativo = event.currentTarget.checked;
              void attempt(() => setMail.mutateAsync({ ativo }), 'Erro ao salvar');
            }}
          />
        </Card>
      </Section>
      {earlier.length > 0 && (
        <Section title="Verificações anteriores">
          <Card flush>
            {earlier.map(({ id, concluida_em, resultado }) => (
              <Row
                key={id}
                lead={<Icon name={outcomes[resultado!.situacao].icon} />}
                title={outcomes[resultado!.situacao].title}
                facts={formatMoment(concluida_em!, zone)}
              />
            ))}
          </Card>
        </Section>
      )}
    </>
  );
}

function Last({ check: { concluida_em, resultado } }: { check: IntegrityCheck }) {
  const zone = useZone();
  const { situacao, registros, lacres, copia_externa, achados, total_de_achados } = resultado!;
  const { conferidos, carimbados, primeiro, ultimo } = lacres;
  const { title, icon } = outcomes[situacao];
  return (
    <>
      <p className={classes.state} role="status">
        <Icon name={icon} />
        {title}
      </p>
      <p>
        Conferimos {plural(registros, 'registro', 'registros')} e {plural(conferidos, 'lacre', 'lacres')}
        {primeiro && ` (${primeiro === ultimo ? '' : `${formatDate(primeiro)} a `}${formatDate(ultimo!)})`}
        {carimbados > 0 && `, ${carimbados} com carimbo do tempo`}. Verificado{' '}
        {formatMoment(concluida_em!, zone)}.{copia_externa && copies[copia_externa]}
      </p>
      {achados.length > 0 && (
        <ul className={classes.findings}>
          {achados.map((each) => (
            <li key={each}>{each}</li>
          ))}
          {total_de_achados > achados.length && <li>e mais {total_de_achados - achados.length}</li>}
        </ul>
      )}
    </>
  );
}

function saveProof(comprovante: NonNullable<CheckResult['comprovante']>) {
  const { name, type, content } = proofFileOf(comprovante);
  saveFile(new Blob([content], { type }), name);
}

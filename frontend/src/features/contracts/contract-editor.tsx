import { NativeSelect } from '@mantine/core';
import { Link, RichTextEditor } from '@mantine/tiptap';
import { Node, nodeInputRule } from '@tiptap/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/tiptap/styles.layer.css';
import { useEditor } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { isField, mergeFields } from '../../../../backend/modules/contracts/merge-fields.api.js';
import { styleNonce } from '../../lib/nonce.js';
import classes from './contracts.module.css';
import { withChips, withoutChips } from './field-chips.js';

/** A merge field: one sign of the text, shown by its name; typing `{{aluno}}` makes one too. */
const fieldChip = Node.create({
  name: 'fieldChip',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({
    field: { default: '', parseHTML: (element: HTMLElement) => element.dataset.field },
  }),
  parseHTML: () => [
    { tag: 'span[data-field]', getAttrs: ({ dataset: { field } }) => (isField(field) ? null : false) },
  ],
  renderHTML: ({ node }) => [
    'span',
    { 'data-field': node.attrs.field as string },
    `{{${node.attrs.field as string}}}`,
  ],
  renderText: ({ node }) => `{{${node.attrs.field as string}}}`,
  addNodeView:
    () =>
    ({ node }) => {
      const dom = document.createElement('mark');
      const field = node.attrs.field as string;
      dom.textContent = isField(field) ? mergeFields[field] : field;
      return { dom };
    },
  addInputRules() {
    // Without a group, of which only the part would be replaced.
    const find = new RegExp(`\\{\\{(?:${Object.keys(mergeFields).join('|')})\\}\\}$`);
    return [
      nodeInputRule({ find, type: this.type, getAttributes: ([typed]) => ({ field: typed.slice(2, -2) }) }),
    ];
  },
});

const extensions = [
  fieldChip,
  StarterKit.configure({
    blockquote: false,
    code: false,
    codeBlock: false,
    horizontalRule: false,
    strike: false,
    underline: false,
    link: false,
    heading: { levels: [1, 2, 3] },
  }),
  Link.configure({ protocols: ['https', 'mailto'], defaultProtocol: 'https', openOnClick: false }),
];

const labels = {
  boldControlLabel: 'Negrito',
  italicControlLabel: 'Itálico',
  h2ControlLabel: 'Título',
  h3ControlLabel: 'Subtítulo',
  bulletListControlLabel: 'Lista',
  orderedListControlLabel: 'Lista numerada',
  linkControlLabel: 'Link',
  unlinkControlLabel: 'Remover link',
  undoControlLabel: 'Desfazer',
  redoControlLabel: 'Refazer',
  linkEditorInputLabel: 'Endereço do link',
  linkEditorInputPlaceholder: 'https://exemplo.com.br',
  linkEditorExternalLink: 'Abrir em outra aba',
  linkEditorInternalLink: 'Abrir na mesma aba',
  linkEditorSave: 'Salvar',
};

interface ContractEditorProps {
  /** The text to start with. */
  initial: string;
  onChange: (html: string) => void;
}

/** Rich text editor with what a contract may contain: headings, lists, bold, italic, links and merge fields. */
export default function ContractEditor({ initial, onChange }: ContractEditorProps) {
  const editor = useEditor({
    extensions,
    content: withChips(initial),
    injectNonce: styleNonce,
    shouldRerenderOnTransaction: true,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': 'Texto do contrato',
        class: classes.editor!,
      },
    },
    onUpdate: ({ editor: current }) => onChange(withoutChips(current.getHTML())),
  });
  return (
    <RichTextEditor editor={editor} labels={labels} classNames={{ control: classes.control! }}>
      <RichTextEditor.Toolbar>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.H2 />
          <RichTextEditor.H3 />
          <RichTextEditor.Bold />
          <RichTextEditor.Italic />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.BulletList />
          <RichTextEditor.OrderedList />
          <RichTextEditor.Link />
          <RichTextEditor.Unlink />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Undo />
          <RichTextEditor.Redo />
        </RichTextEditor.ControlsGroup>
        <NativeSelect
          className={classes.fieldChoice}
          aria-label="Inserir campo"
          value=""
          data={[
            { value: '', label: 'Inserir campo', disabled: true },
            ...Object.entries(mergeFields).map(([value, label]) => ({ value, label })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            editor
              .chain()
              .focus()
              .insertContent({ type: fieldChip.name, attrs: { field: value } })
              .run();
          }}
        />
      </RichTextEditor.Toolbar>
      <RichTextEditor.Content />
    </RichTextEditor>
  );
}

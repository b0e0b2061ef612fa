//! What an HTML parser finds in markup.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer};

/// An element, its attributes, and the text up to its end tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) text: String,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

#[derive(Default)]
struct Sink {
    elements: RefCell<Vec<Element>>,
    /// The places in `elements` of those that are open.
    open: RefCell<Vec<usize>>,
    errors: RefCell<Vec<String>>,
    is_ended: Cell<bool>,
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let (mut elements, mut open) = (self.elements.borrow_mut(), self.open.borrow_mut());
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                let name = tag.name.to_string();
                let pairs =
                    tag.attrs.iter().map(|attribute| (attribute.name.local.to_string(), attribute.value.to_string()));
                let attributes: BTreeMap<_, _> = pairs.collect();
                assert_eq!(attributes.len(), tag.attrs.len(), "an attribute is repeated: {:?}", tag.attrs);
                if name != "input" {
                    open.push(elements.len());
                }
                elements.push(Element { name, attributes, text: String::new() });
            }
            Token::TagToken(tag) => {
                let closed = open.pop().map(|place| elements[place].name.clone());
                assert_eq!(closed.as_deref(), Some(&*tag.name), "this element was not open");
            }
            Token::CharacterTokens(text) => match open.last() {
                Some(place) => elements[*place].text.push_str(&text),
                None => panic!("text outside of all elements: {text}"),
            },
            Token::ParseError(error) => self.errors.borrow_mut().push(error.into_owned()),
            Token::EOFToken => self.is_ended.set(true),
            other => panic!("neither an element nor text: {other:?}"),
        }
        TokenSinkResult::Continue
    }
}

/// The elements of a fragment, which has to be well-formed, without a repeated attribute.
pub(crate) fn elements(html: &str) -> Vec<Element> {
    let tokenizer = Tokenizer::new(Sink::default(), Default::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(html));
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    let Sink { elements, open, errors, is_ended } = tokenizer.sink;
    assert!(is_ended.get() && open.borrow().is_empty(), "{html}");
    assert_eq!(errors.into_inner(), [""; 0], "{html}");
    elements.into_inner()
}

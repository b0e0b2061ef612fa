// The declarations have nothing that folio does not send. `tsc` compares each fixture with its type, so a key that a
// type lacks is an error there. This is the other direction: for each key of a type, the fixtures have every form of
// its value, and lack the key if the type says that it may be absent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import ts from "typescript";

import * as fixtures from "./fixtures.js";

const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const DECLARATIONS = fileOf("../index.d.ts");

/** The interfaces that describe what a helper takes. */
const TAKEN = new Set(["FetchOptions", "ForwardConnection", "BackwardConnection"]);

const { config } = ts.readConfigFile(fileOf("../tsconfig.json"), ts.sys.readFile);
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, fileOf(".."));
const program = ts.createProgram(fileNames, options);
const checker = program.getTypeChecker();

/** The key that a node declares in an interface of the declarations, or in an object type inside of one. */
function isSent(node) {
    if (!ts.isPropertySignature(node) || node.getSourceFile().fileName !== DECLARATIONS) return false;
    const owner = ts.findAncestor(node, ts.isInterfaceDeclaration);
    return owner !== undefined && !TAKEN.has(owner.name.text);
}

const membersOf = (type) => (type.isUnion() ? type.types : [type]);

/** The forms that a value of a type can have. */
function formsOf(type) {
    return membersOf(type).map((member) => {
        if (member.flags & ts.TypeFlags.Undefined) return "absent";
        if (member.flags & ts.TypeFlags.Null) return "null";
        if (member.flags & ts.TypeFlags.Literal) return checker.typeToString(member);
        if (member.flags & ts.TypeFlags.StringLike) return "string";
        if (member.flags & ts.TypeFlags.NumberLike) return "number";
        if (checker.isArrayType(member) || checker.isTupleType(member)) return "array";
        return member.flags & ts.TypeFlags.TypeParameter ? "anything" : "object";
    });
}

/** The form that a value has, among those of its type. */
function formOf(value, forms) {
    if (value === undefined) return "absent";
    const literal = JSON.stringify(value);
    if (value === null || forms.includes(literal)) return literal;
    if (forms.includes("anything")) return "anything";
    return Array.isArray(value) ? "array" : typeof value;
}

/** The forms of each key that the fixtures have. */
const seen = new Map();

/** Notes the keys of a value of a type, and those inside of it. */
function note(type, value) {
    if (typeof value !== "object" || value === null) return;
    for (const member of membersOf(type)) {
        if (checker.isArrayType(member) || checker.isTupleType(member)) {
            if (Array.isArray(value)) value.forEach((element) => note(checker.getTypeArguments(member)[0], element));
        } else if (!Array.isArray(value)) {
            noteObject(member, value);
        }
    }
}

function noteObject(type, object) {
    const others = new Set(Object.keys(object));
    for (const property of checker.getPropertiesOfType(type)) {
        others.delete(property.name);
        const value = object[property.name];
        for (const node of property.declarations.filter(isSent)) {
            if (!seen.has(node)) seen.set(node, new Set());
            seen.get(node).add(formOf(value, formsOf(checker.getTypeAtLocation(node))));
        }
        note(checker.getTypeOfSymbol(property), value);
    }
    const ofOthers = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (ofOthers) others.forEach((name) => note(ofOthers, object[name]));
}

program.getSourceFile(fileOf("fixtures.js")).forEachChild((statement) => {
    const satisfies = ts.getJSDocSatisfiesTag(statement);
    if (!satisfies) return;
    const [{ name }] = statement.declarationList.declarations;
    note(checker.getTypeFromTypeNode(satisfies.typeExpression.type), fixtures[name.text]);
});

test("the declarations have nothing that the fixtures do not", () => {
    const missing = [];
    const visit = (node) => {
        if (isSent(node)) {
            const owner = ts.findAncestor(node, ts.isInterfaceDeclaration).name.text;
            const found = seen.get(node) ?? new Set();
            for (const form of formsOf(checker.getTypeAtLocation(node))) {
                if (!found.has(form)) missing.push(`${owner}: ${node.name.text} is never ${form}`);
            }
        }
        ts.forEachChild(node, visit);
    };
    visit(program.getSourceFile(DECLARATIONS));
    assert.deepEqual(missing, []);
});

test("every fixture has a type", () => {
    const constants = program.getSourceFile(fileOf("fixtures.js")).statements.filter(ts.isVariableStatement);
    assert.equal(constants.length, Object.keys(fixtures).length);
    assert.deepEqual(constants.filter((constant) => !ts.getJSDocSatisfiesTag(constant)), []);
    assert.ok(constants.length > 70);
});

test("what is declared is exported", async () => {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(DECLARATIONS));
    const values = checker.getExportsOfModule(symbol).filter(({ flags }) => flags & ts.SymbolFlags.Value);
    assert.deepEqual(values.map(({ name }) => name).sort(), Object.keys(await import("folio-pages")).sort());
});

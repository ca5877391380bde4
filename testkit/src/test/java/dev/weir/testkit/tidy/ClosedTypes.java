package dev.weir.testkit.tidy;

import com.sun.source.tree.BindingPatternTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConstantCaseLabelTree;
import com.sun.source.tree.DeconstructionPatternTree;
import com.sun.source.tree.DefaultCaseLabelTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.PatternCaseLabelTree;
import com.sun.source.tree.PatternTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * The enums and sealed types that the sources declare. The parser resolves no types, so a switch is matched by the
 * simple names in its labels. That is enough to distinguish a closed set of our own from an open one.
 */
final class ClosedTypes {
    private final List<Set<String>> enums = new ArrayList<>();
    private final Set<String> members = new HashSet<>();

    ClosedTypes(Collection<? extends CompilationUnitTree> units) {
        var sealed = new HashSet<String>();
        var classes = new ArrayList<ClassTree>();
        var scanner = new TreeScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
                classes.add(type);
                return super.visitClass(type, null);
            }
        };
        units.forEach(unit -> scanner.scan(unit, null));
        for (var type : classes) {
            if (type.getModifiers().getFlags().contains(Modifier.SEALED)) {
                sealed.add(type.getSimpleName().toString());
                type.getPermitsClause().forEach(permitted -> members.add(simpleName(permitted)));
            }
            if (type.getKind() == Tree.Kind.ENUM) {
                enums.add(constants(type));
            }
        }
        for (var type : classes) {
            var parents = new ArrayList<Tree>(type.getImplementsClause());
            if (type.getExtendsClause() != null) {
                parents.add(type.getExtendsClause());
            }
            if (parents.stream().anyMatch(parent -> sealed.contains(simpleName(parent)))) {
                members.add(type.getSimpleName().toString());
            }
        }
    }

    /** True if a switch over a closed set has a default, which would hide a new case. */
    boolean hidesNewCases(List<? extends CaseTree> cases) {
        var labels = cases.stream().flatMap(c -> c.getLabels().stream()).toList();
        if (labels.stream().noneMatch(DefaultCaseLabelTree.class::isInstance)) {
            return false;
        }
        var constants = new HashSet<String>();
        var patterns = new HashSet<String>();
        for (var label : labels) {
            if (label instanceof ConstantCaseLabelTree constant) {
                constants.add(simpleName(constant.getConstantExpression()));
            } else if (label instanceof PatternCaseLabelTree pattern) {
                patterns.add(typeOf(pattern.getPattern()));
            }
        }
        constants.remove("null");
        return (!constants.isEmpty() && enums.stream().anyMatch(names -> names.containsAll(constants)))
                || (!patterns.isEmpty() && members.containsAll(patterns));
    }

    private static Set<String> constants(ClassTree type) {
        var names = new HashSet<String>();
        for (var member : type.getMembers()) {
            if (member instanceof VariableTree field
                    && field.getModifiers().getFlags().containsAll(Set.of(Modifier.PUBLIC, Modifier.STATIC))
                    && simpleName(field.getType()).equals(type.getSimpleName().toString())) {
                names.add(field.getName().toString());
            }
        }
        return names;
    }

    private static String typeOf(PatternTree pattern) {
        if (pattern instanceof BindingPatternTree binding) {
            return simpleName(binding.getVariable().getType());
        }
        return pattern instanceof DeconstructionPatternTree record ? simpleName(record.getDeconstructor()) : "";
    }

    private static String simpleName(@Nullable Tree tree) {
        if (tree instanceof IdentifierTree identifier) {
            return identifier.getName().toString();
        }
        if (tree instanceof MemberSelectTree select) {
            return select.getIdentifier().toString();
        }
        return tree instanceof ParameterizedTypeTree generic ? simpleName(generic.getType()) : String.valueOf(tree);
    }
}

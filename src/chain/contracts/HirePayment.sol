// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC3009} from "@openzeppelin/contracts/interfaces/draft-IERC3009.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ISignatureTransfer} from "./ISignatureTransfer.sol";
import {JobEscrowTypes} from "./JobEscrowTypes.sol";

/// @title Payment of a hire: by allowance, by an EIP-3009 authorization, or by Permit2
/// @dev A signature covers all terms, this contract and this chain. It is accepted once, from any sender.
abstract contract HirePayment is JobEscrowTypes {
    using SafeERC20 for IERC20;

    /// @notice Permit2 has the same address on every chain. A client approves it once for its tokens.
    ISignatureTransfer public constant PERMIT2 = ISignatureTransfer(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    string private constant TERMS_TYPE =
        "HireTerms(address client,address provider,address evaluator,uint256 expiredAt,string description,uint256 budget,bytes32 salt)";
    bytes32 private constant TERMS_TYPEHASH = keccak256(bytes(TERMS_TYPE));
    /// @dev Type string that Permit2 appends to its own fields: the witness, then all structs in alphabetical order (EIP-712).
    string private constant WITNESS_TYPE =
        string.concat("HireTerms witness)", TERMS_TYPE, "TokenPermissions(address token,uint256 amount)");

    IERC20 public immutable paymentToken;

    constructor(IERC20 token) {
        require(address(token).code.length > 0, BadToken(address(token)));
        paymentToken = token;
    }

    /// @dev Refuses tokens that take a fee on transfer.
    modifier receives(uint256 amount) {
        uint256 before = paymentToken.balanceOf(address(this));
        _;
        uint256 received = paymentToken.balanceOf(address(this)) - before;
        require(received == amount, WrongAmountReceived(received, amount));
    }

    /// @notice The EIP-3009 nonce that binds a client's signature to these terms, this chain and this contract.
    function hireNonce(HireTerms calldata terms) public view returns (bytes32) {
        return keccak256(abi.encode(terms, block.chainid, address(this)));
    }

    function _payByAllowance(address client, uint256 amount) internal receives(amount) {
        paymentToken.safeTransferFrom(client, address(this), amount);
    }

    /// @dev Pays with an EIP-3009 authorization.
    function _payByAuthorization(
        HireTerms calldata terms,
        uint256 validBefore,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) internal receives(terms.budget) {
        IERC3009(address(paymentToken)).receiveWithAuthorization(
            terms.client,
            address(this),
            terms.budget,
            0,
            validBefore,
            hireNonce(terms),
            v,
            r,
            s
        );
    }

    /// @dev The terms are signed as typed fields, so that a wallet can display them.
    function _payByPermit(
        HireTerms calldata terms,
        uint256 deadline,
        bytes calldata signature
    ) internal receives(terms.budget) {
        PERMIT2.permitWitnessTransferFrom(
            ISignatureTransfer.PermitTransferFrom({
                permitted: ISignatureTransfer.TokenPermissions(address(paymentToken), terms.budget),
                nonce: uint256(terms.salt),
                deadline: deadline
            }),
            ISignatureTransfer.SignatureTransferDetails(address(this), terms.budget),
            terms.client,
            _hash(terms),
            WITNESS_TYPE,
            signature
        );
    }

    function _hash(HireTerms calldata terms) private pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    TERMS_TYPEHASH,
                    terms.client,
                    terms.provider,
                    terms.evaluator,
                    terms.expiredAt,
                    keccak256(bytes(terms.description)),
                    terms.budget,
                    terms.salt
                )
            );
    }
}
